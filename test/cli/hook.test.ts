// examples/pre-tool-use-hook.mjs, as an agent calls it.
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { type Exit, killPrograms, startProgram } from './program.js'

afterEach(killPrograms)

const callHook = async (input: string): Promise<Exit> => {
  const program = startProgram(process.execPath, [join(packageRoot, 'examples/pre-tool-use-hook.mjs')])
  program.process.stdin?.end(input)
  return await program.exited()
}

const use = (command: unknown) => JSON.stringify({ tool_name: 'Bash', tool_input: { command }, cwd: '/srv' })

test('a command that is allowed: status 0, and nothing said', async () => {
  expect(await callHook(use('git add src/index.ts'))).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

test('a command that is refused: status 2, and the reason on stderr', async () => {
  const { code, stdout, stderr } = await callHook(use('cd app && git add .'))

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^\[command rejected: git-add-blind\] \S/)
})

test('a tool without a command is none of its business', async () => {
  expect(await callHook(JSON.stringify({ tool_name: 'Read', tool_input: { path: '/' } }))).toMatchObject({
    code: 0,
  })
})

test('what it does not understand is told, and stops nothing', async () => {
  const { code, stderr } = await callHook('nonsense')

  expect(code).toBe(1)
  expect(stderr).toMatch(/^the command was not checked: /)
})
