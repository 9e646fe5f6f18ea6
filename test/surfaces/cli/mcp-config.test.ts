// `bashward mcp --print-config CLIENT`: what a client is told, and where nothing should be.
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { copyPackage } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward, binPath, killPrograms, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const print = (client: string, args: string[] = [], cwd = tempDir()) =>
  bashward(['mcp', '--print-config', client, ...args], { cwd })

test('it names an absolute program, and nothing else is printed or started', async () => {
  const { code, stdout, stderr } = await print('codex')

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`In ~/.codex/config.toml:

tool_output_token_limit = 12000

[features]
shell_tool = false

[mcp_servers.bashward]
command = "${binPath}"
args = ["mcp"]
`)
  expect(stdout).not.toContain('npx')
})

test('the other options are those of the server, and their paths do not depend on where it starts', async () => {
  const cwd = realpathSync(tempDir())
  mkdirSync(join(cwd, 'project'))
  const words = ['--workspace', '--cwd', 'project', '--writable', 'more', '--writable', '/srv', '--session']
  const { stdout } = await print('codex', [...words, '--allow-domain', 'registry.example'], cwd)
  const [, args = ''] = /^args = (.*)$/m.exec(stdout) ?? []

  expect(JSON.parse(args)).toEqual([
    ...['mcp', '--workspace', '--cwd', join(cwd, 'project'), '--writable', join(cwd, 'more')],
    ...['--writable', '/srv', '--session', '--allow-domain', 'registry.example'],
  ])
})

test.each([
  [
    ['--print-config', 'cursor'],
    /^bashward mcp: --print-config must be one of claude-code, .* \(got "cursor"\)$/m,
  ],
  [['--print-config', 'constructor'], /must be one of .* \(got "constructor"\)$/m],
  [['--print-config', 'codex', '--http', '127.0.0.1:0', '--token-file', '/t'], /leave --http out$/m],
  [['--print-config', 'codex', '--scratch'], /--scratch goes with --restricted/],
])('%j is wrong', async (args, message) => {
  const { code, stdout, stderr } = await bashward(['mcp', ...args])

  expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
  expect(stderr).toMatch(message)
})

describe('a program that commands can change', () => {
  const makeProject = (below: string) => {
    const project = realpathSync(tempDir())
    const modules = join(project, below, 'node_modules')
    mkdirSync(join(modules, '.bin'), { recursive: true })
    copyPackage(join(modules, 'bashward'))
    const shim = join(modules, '.bin/bashward')
    symlinkSync('../bashward/dist/cli/bin.js', shim)
    const run = (cwd: string, ...args: string[]) =>
      startProgram(process.execPath, [shim, 'mcp', '--print-config', 'codex', ...args], { cwd }).exited()
    return { project, shim, run }
  }

  test.each([[[]], [['--workspace']]])('is named, and not the configuration: %j', async (args) => {
    const { project, shim, run } = makeProject('.')
    const { code, stdout, stderr } = await run(project, ...args)

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toContain(
      `--print-config: commands can write to ${project}, and so to ${shim}, which a client would start; install bashward elsewhere`,
    )
  })

  test('can be told of where commands work elsewhere, or change nothing', async () => {
    const { project, shim, run } = makeProject('.')

    expect((await run('/', '--cwd', tempDir())).stdout).toContain(`command = "${shim}"`)
    expect((await run(project, '--restricted')).stdout).toContain(`command = "${shim}"`)
  })

  test('may be one that npx has put somewhere', async () => {
    const { shim, run } = makeProject('_npx/4711')
    const { code, stderr } = await run(tempDir())

    expect(code).toBe(125)
    expect(stderr).toContain(`npx has put ${shim} there, and may remove it`)
  })
})
