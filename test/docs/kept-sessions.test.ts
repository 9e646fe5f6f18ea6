// What docs/calls.md shows of keeping sessions: hosts that are started anew go on where the last result was.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { snippetWith } from './snippets.js'

afterEach(removeTempDirs)

const host = `
  import { CallLedger, createBashTool } from 'bashward'
  import { KeptSessions } from './kept-sessions.js'
  const [id, key, ...commands] = process.argv.slice(2)
  const sessions = new KeptSessions('sessions', Buffer.alloc(32, key))
  const die = () => process.kill(process.pid, 'SIGKILL')
  const beforeResult = process.env.DIES ? die : sessions.keep
  const calls = new CallLedger({ directory: process.cwd() + '/calls', beforeResult })
  const bash = createBashTool({ calls })
  const call = async (command, number) => {
    const session = await sessions.open('c', process.cwd())
    const context = { workingDir: process.cwd(), session, conversationId: 'c', toolCallId: id + number }
    return bash.toText(await bash.execute({ command }, context)).trimEnd()
  }
  console.log((await Promise.all(commands.map(call))).join())
  die()
`

const project = (): string => {
  const directory = tempDir()
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(packageRoot, join(directory, 'node_modules/bashward'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(directory, 'kept-sessions.js'), snippetWith('calls', 'js', 'class KeptSessions'))
  writeFileSync(join(directory, 'host.js'), host)
  return directory
}

/** The calls of a host that is killed afterwards, sent at once. */
const calls = (directory: string, id: string, key: string, ...commands: string[]) =>
  runHost(directory, process.env, id, key, ...commands)

const runHost = (directory: string, env: NodeJS.ProcessEnv, ...args: string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['host.js', ...args], {
    cwd: directory,
    env,
    encoding: 'utf8',
    timeout: 50_000,
  })
  return { stdout: stdout.trimEnd(), stderr }
}

test('the next host has what the last call of the one before has left', () => {
  const directory = project()
  calls(directory, 'a', '1', 'n=1', 'n=$((n + 1)); sleep 0.1', 'n=$((n + 1))', 'n=$((n + 1)); mkdir d; cd d')

  expect(calls(directory, 'b', '1', 'echo $n ${PWD##*/}')).toEqual({ stdout: '4 d', stderr: '' })
})

test('what is sent again leaves the session as it is', () => {
  const directory = project()
  calls(directory, 'a', '1', 'n=$((n + 1))')
  calls(directory, 'a', '1', 'n=$((n + 1))')

  expect(calls(directory, 'b', '1', 'echo $n').stdout).toBe('1')
})

test('a file that was changed, or another key, makes no session', () => {
  const directory = project()
  calls(directory, 'a', '1', 'n=1')
  expect(calls(directory, 'b', '2', 'echo $n').stderr).toContain('ERR_SNAPSHOT')

  const file = join(directory, 'sessions', readdirSync(join(directory, 'sessions'))[0] ?? '')
  const data = readFileSync(file)
  data[data.length - 1] = (data.at(-1) ?? 0) ^ 1
  writeFileSync(file, data)
  expect(calls(directory, 'b', '1', 'echo $n').stderr).toContain('ERR_SNAPSHOT')
})

test('a host that is killed before the snapshot leaves the session as it was, and the call says so', () => {
  const directory = project()
  calls(directory, 'a', '1', 'n=1')
  runHost(directory, { ...process.env, DIES: '1' }, 'b', '1', 'n=2; echo printed')

  const again = calls(directory, 'b', '1', 'n=2; echo printed', 'echo $n').stdout
  expect(again).toBe('[it has run; what it printed was not kept],1')
})
