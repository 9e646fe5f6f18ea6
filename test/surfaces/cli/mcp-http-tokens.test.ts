// Where `bashward mcp --http` has its tokens from.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRoot, ordinaryUid } from '../../support/as-user.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { closeHttpClients, connectHttp } from '../mcp/http/http-clients.js'
import { closeWires } from '../mcp/http/raw.js'
import { newToken, tokenFile } from '../mcp/http/servers.js'
import { bashward, binPath, killPrograms, startProgram } from './program.js'

afterEach(async () => {
  await closeHttpClients()
  closeWires()
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

const refused = async (...args: string[]) => {
  const { code, stdout, stderr } = await bashward(['mcp', ...args])
  expect([code, stdout]).toEqual([125, ''])
  return stderr
}

describe('the file of tokens', () => {
  const start = (file: string, env: Record<string, string> = {}) =>
    startProgram(process.execPath, [binPath, 'mcp', '--http', '127.0.0.1:0', '--token-file', file], { env })

  test.each([0o640, 0o604, 0o660, 0o644, 0o602])('is refused when others can use it: %o', async (mode) => {
    const file = tokenFile(newToken())
    chmodSync(file, mode)

    expect(await refused('--http', '127.0.0.1:0', '--token-file', file)).toContain(
      `${file}: its mode 0${mode.toString(8)} lets others read it (chmod 600)`,
    )
  })

  test('is refused when it is another user’s', async () => {
    if (!isRoot) return onlyRootCanTest('only root can make a file of another user')
    const file = tokenFile(newToken())
    chownSync(file, ordinaryUid, ordinaryUid)

    expect(await refused('--http', '127.0.0.1:0', '--token-file', file)).toContain(
      `${file}: belongs to user ${ordinaryUid}, not to 0`,
    )
  })

  test('is refused when it is none', async () => {
    const directory = tempDir()
    spawnSync('mkfifo', ['-m', '600', join(directory, 'pipe')])

    expect(await refused('--http', '127.0.0.1:0', '--token-file', directory)).toContain('must be a file')
    expect(await refused('--http', '127.0.0.1:0', '--token-file', join(directory, 'pipe'))).toContain(
      'must be a file',
    )
  })

  test('is looked at itself, and not the link to it', async () => {
    const file = tokenFile(newToken())
    const link = join(tempDir(), 'link')
    symlinkSync(file, link)
    chmodSync(file, 0o644)

    expect(await refused('--http', '127.0.0.1:0', '--token-file', link)).toContain('lets others read it')
  })

  test('that is too long, or has a bad line, is refused without showing it', async () => {
    const token = newToken()
    const messages = [
      await refused('--http', '127.0.0.1:0', '--token-file', tokenFile(`${token} ${token}`)),
      await refused('--http', '127.0.0.1:0', '--token-file', tokenFile('x'.repeat(70_000))),
    ]

    expect(messages.join('')).toMatch(/line 1: a token must[\s\S]*has more than 65536 bytes/)
    expect(messages.join('')).not.toContain(token)
  })

  test('may be a credential of systemd: root’s, with an access list', async () => {
    if (!isRoot) return onlyRootCanTest('only root can make a file of root')
    const file = tokenFile(newToken())
    chmodSync(file, 0o440)
    const program = start(file, { CREDENTIALS_DIRECTORY: dirname(file) })
    await waitFor(() => program.stderr().includes('listening on'), { what: 'the server to listen' })
    chmodSync(file, 0o444)
    const { stderr } = await start(file, { CREDENTIALS_DIRECTORY: dirname(file) }).exited()

    expect(stderr).toContain('its mode 0444 lets others read it')
  })

  test('is out of reach for commands in Workspace mode', async () => {
    const token = newToken()
    const file = tokenFile(token)
    const words = [
      'mcp',
      '--http',
      '127.0.0.1:0',
      '--token-file',
      file,
      '--cwd',
      tempDir(),
      '--workspace',
      '--structured',
    ]
    const program = startProgram(process.execPath, [binPath, ...words])
    await waitFor(() => program.stderr().includes('listening on'), { what: 'the server to listen' })
    const [, url = ''] = /listening on (\S+)/.exec(program.stderr()) ?? []
    const client = await connectHttp(new URL(url), token)
    const { text, structured } = await client.call('bash', { command: `cat ${file}` })
    if (structured.status === 'error') return cannotTest(`there is no Workspace mode here: ${text}`)

    expect(text).not.toContain(token)
    expect(structured.status).toBe('failed')
  })

  test('is refused where commands can write', async () => {
    const file = tokenFile(newToken())
    const words = ['--http', '127.0.0.1:0', '--token-file', file, '--cwd', dirname(file), '--workspace']

    expect(await refused(...words)).toContain(
      `--token-file: commands can write to ${dirname(file)}: put ${file} elsewhere`,
    )
  })

  test('is refused where commands can write by another name', async () => {
    const file = tokenFile(newToken())
    const link = join(tempDir(), 'link')
    symlinkSync(file, link)
    const directory = join(tempDir(), 'directory')
    symlinkSync(dirname(file), directory)
    const words = ['--http', '127.0.0.1:0', '--workspace']

    expect(await refused(...words, '--token-file', link, '--cwd', dirname(file))).toContain(
      `put ${link} elsewhere`,
    )
    expect(await refused(...words, '--token-file', file, '--cwd', directory)).toContain(
      `put ${file} elsewhere`,
    )
  })
})

describe('a descriptor with tokens', () => {
  test('is read to its end, and closed: commands do not have it', async () => {
    const token = newToken()
    const file = tokenFile(token)
    const words = `exec '${process.execPath}' '${binPath}' mcp --http 127.0.0.1:0 --token-fd 9 9< '${file}'`
    const program = startProgram('bash', ['-c', words])
    await waitFor(() => program.stderr().includes('listening on'), { what: 'the server to listen' })
    const [, url = ''] = /listening on (\S+)/.exec(program.stderr()) ?? []
    const client = await connectHttp(new URL(url), token)
    const { text } = await client.call('bash', { command: `ls -l /proc/${program.pid}/fd /proc/self/fd` })

    expect(text).not.toContain(file)
  })

  test('may be stdin, of a pipe', async () => {
    const token = newToken()
    const program = startProgram(process.execPath, [
      binPath,
      'mcp',
      '--http',
      '127.0.0.1:0',
      '--token-fd',
      '0',
    ])
    program.process.stdin?.end(`${token}\n`)
    await waitFor(() => program.stderr().includes('listening on'), { what: 'the server to listen' })
    const [, url = ''] = /listening on (\S+)/.exec(program.stderr()) ?? []
    const client = await connectHttp(new URL(url), token)

    expect((await client.call('bash', { command: 'echo up; cat' })).text).toBe('up\n')
  })
})
