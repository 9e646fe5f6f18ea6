// A program on a terminal does not depend on its host: another one goes on typing.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TerminalState } from '../../../lib/index.js'
import { leaveNothing, liveStore, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { startHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { tempDir } from '../../support/temp-dir.js'

afterEach(leaveNothing)

const killedHost = async (command: string, texts: string[]) => {
  const state = tempDir()
  const store = liveStore(join(state, 'bashward', 'jobs'))
  const env = { ...process.env, XDG_STATE_HOME: state }
  const host = startHost('terminal', { argument: { command, texts }, env })
  const waits = await host.report<TerminalState>('waits')
  const id = await host.report<string>('jobId')
  const outputFile = await host.report<string>('outputFile')
  host.kill('SIGKILL')
  await host.exited()
  return { waits, store, id, outputFile, terminal: store.open(id) }
}

const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined

test('a shell goes on where it was', async () => {
  const { waits, terminal, outputFile } = await killedHost(
    'read -p "one: " a; read -p "two: " b; echo "$a and $b"',
    ['1'],
  )
  expect(waits).toMatchObject({ reason: 'input', verdict: 'line' })
  expect(await terminal.state()).toMatchObject({ verdict: 'line', offset: waits.offset })
  await terminal.write('2')
  await waitForOutput(outputFile, '1 and 2\r\n')
  terminal.close()
})

test('a REPL keeps what it knows', async () => {
  if (lacks('python3')) return cannotTest('there is no python3')
  const { terminal, outputFile } = await killedHost('python3 -q', ['answer = 6 * 7'])
  await terminal.write('print("it is", answer)')
  await waitForOutput(outputFile, 'it is 42\r\n')
  terminal.close()
})

test('an editor can be left, and its file is written', async () => {
  if (lacks('vim')) return cannotTest('there is no vim')
  const file = join(tempDir(), 'text')
  const { waits, terminal, store, id } = await killedHost(`vim -u NONE -n ${file}`, [])
  expect(waits).toMatchObject({ verdict: 'watching', altScreen: true })
  await terminal.keys('i', 'h', 'i', 'Escape')
  await terminal.wait({ timeoutMs: 30_000 })
  await terminal.write(':wq')
  expect(await store.wait(id, { timeoutMs: 30_000 })).toMatchObject({ status: 'completed' })
  expect(textOf(file)).toBe('hi\n')
  terminal.close()
})

test('a rebase is finished', async () => {
  if (lacks('vim') || lacks('git')) return cannotTest('there is no vim, or no git')
  const repository = tempDir()
  const git = `git -C ${repository} -c user.name=T -c user.email=t@example.org`
  const commit = (name: string) => `${git} commit -q --allow-empty -m ${name}`
  const commits = ['one', 'two', 'three'].map(commit).join(' && ')
  const { waits, terminal, store, id } = await killedHost(
    `git init -q ${repository} && ${commits} && ${git} -c core.editor='vim -u NONE -n' rebase -i --root`,
    [],
  )
  expect(waits).toMatchObject({ verdict: 'watching', altScreen: true })
  await terminal.keys('j', 'd', 'd')
  await terminal.wait({ timeoutMs: 30_000 })
  await terminal.write(':wq')
  expect(await store.wait(id, { timeoutMs: 30_000 })).toMatchObject({ status: 'completed' })
  const { stdout } = spawnSync('git', ['-C', repository, 'log', '--format=%s'], { encoding: 'utf8' })
  expect(stdout).toBe('three\none\n')
  terminal.close()
})
