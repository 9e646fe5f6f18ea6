// `bashward mcp --http` as a program: its command line, who is let in, its end.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { canBecomeOrdinaryUser, isRoot, ordinaryUserPrefix } from '../../support/as-user.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { isAlive, killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { closeHttpClients, connectHttp, connectHttp2025 } from '../mcp/http/http-clients.js'
import { closeWires, headersOf, openWire, requestText, statusOf } from '../mcp/http/raw.js'
import { newToken, startHttpProgram, tokenFile } from '../mcp/http/servers.js'
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

describe('the command line', () => {
  test.each([
    [['--token-file', 'x'], '--token-file goes with --http'],
    [['--token-fd', '3'], '--token-fd goes with --http'],
    [['--allow-origin', 'https://a.example'], '--allow-origin goes with --http'],
    [['--calls', '/tmp'], '--calls goes with --http'],
    [
      ['--http', '127.0.0.1:0', '--token-file', 'x', '--token-fd', '3'],
      '--token-file and --token-fd: give one of them',
    ],
    [
      ['--http', '127.0.0.1:0', '--token-fd', 'x'],
      '--token-fd must be the number of a descriptor to read from (got "x")',
    ],
    [
      ['--http', '127.0.0.1:0', '--token-fd', '1'],
      '--token-fd must be the number of a descriptor to read from (got "1")',
    ],
    [['--http', '127.0.0.1:0', '--token-file', ''], '--token-file must be the path of a file (got "")'],
    [
      ['--http', '127.0.0.1:0', '--token-file', 'x', '--allow-host', 'http://a'],
      '--allow-host must be what clients send as Host, such as mcp.example.org or mcp.example.org:8443 (got "http://a")',
    ],
    [
      ['--http', '127.0.0.1:0', '--token-file', 'x', '--allow-origin', 'null'],
      '--allow-origin must be an origin, such as https://app.example (got "null")',
    ],
    [
      ['--http', '127.0.0.1:0', '--token-file', 'x', '--allow-origin', '*'],
      '--allow-origin must be an origin, such as https://app.example (got "*")',
    ],
    [
      ['--http', '127.0.0.1:0', '--token-file', '/nope'],
      "--token-file: /nope: cannot be read: ENOENT: no such file or directory, open '/nope'",
    ],
    [
      ['--http', '127.0.0.1:0', '--token-fd', '999999'],
      '--token-fd: 999999: cannot be read: EBADF: bad file descriptor, fstat',
    ],
  ])('%j is refused', async (args, message) => {
    expect(await refused(...args)).toBe(`bashward mcp: ${message}\nTry 'bashward mcp --help'.\n`)
  })

  test.each([
    '8080',
    '0.0.0.0:8080',
    '[::]:8080',
    'localhost:8080',
    '10.0.0.1:80',
    '127.0.0.1',
    '127.0.0.1:65536',
    '127.0.0.256:1',
    '127.1:80',
    '',
    ':80',
  ])('the address %j is refused by name', async (address) => {
    const message = `--http must be a loopback address and a port, such as 127.0.0.1:8080 or [::1]:0; from elsewhere it is reached by a proxy with TLS (got "${address}")`

    expect(await refused(`--http=${address}`, '--token-file', tokenFile(newToken()))).toContain(message)
  })

  test('without a token it does not start, and says how to make one', async () => {
    const message = await refused('--http', '127.0.0.1:0')

    expect(message).toContain('--http needs a token, on loopback too: other users reach it there.')
    const command = /\(umask 077 && [^\n]*\)/.exec(message)?.[0] ?? ''
    const directory = tempDir()
    spawnSync('bash', ['-c', `${command} > made`], { cwd: directory })
    spawnSync('bash', ['-c', command], { cwd: directory })
    expect(readdirSync(directory)).toContain('token')
    const program = startProgram(
      process.execPath,
      [binPath, 'mcp', '--http', '127.0.0.1:0', '--token-file', 'token'],
      { cwd: directory },
    )
    await waitFor(() => program.stderr().includes('listening on http://127.0.0.1:'), {
      what: 'the server to listen',
    })
  })

  test('a port that is taken is named', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const message = await refused('--http', `127.0.0.1:${port}`, '--token-file', tokenFile(newToken()))
    taken.close()

    expect(message).toContain(`--http 127.0.0.1, port ${port}: somebody listens there already`)
  })

  test('nothing listens on IPv4 where ::1 is asked for', async () => {
    const token = newToken()
    const program = startProgram(process.execPath, [
      binPath,
      'mcp',
      '--http',
      '[::1]:0',
      '--token-file',
      tokenFile(token),
    ])
    await waitFor(() => /listening on|bashward mcp: --http/.test(program.stderr()), {
      what: 'the server to listen',
    })
    const [, url] = /listening on (\S+)/.exec(program.stderr()) ?? []
    if (url === undefined) return cannotTest('there is no ::1 here')
    const client = await connectHttp(new URL(url), token)

    expect((await client.call('bash', { command: 'echo six' })).text).toBe('six\n')
    expect(await openWire(Number(new URL(url).port)).closed()).toBe('')
  })
})

test('another user of the machine is not let in, and cannot read the token', async () => {
  if (!isRoot || !canBecomeOrdinaryUser()) return onlyRootCanTest('two users are needed')
  const token = newToken()
  const program = await startHttpProgram([token])
  const ran = join(tempDir(), 'ran')
  chmodSync(dirname(ran), 0o777)
  const args = program.process.spawnargs
  const file = args[args.indexOf('--token-file') + 1] ?? ''
  const script = `
    const { readFileSync, readdirSync } = require('node:fs')
    const found = []
    const look = (read) => { try { found.push(String(read())) } catch ({ code }) { found.push(code) } }
    look(() => readFileSync('${file}'))
    look(() => readFileSync('/proc/${program.pid}/environ'))
    look(() => readdirSync('/proc/${program.pid}/fd'))
    look(() => readFileSync('/proc/${program.pid}/cmdline'))
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bash', arguments: { command: 'touch ${ran}' } } })
    fetch('${program.url}', { method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } })
      .then(async (response) => console.log(JSON.stringify({ status: response.status, found })))`
  const [command = '', ...words] = [...ordinaryUserPrefix(), process.execPath, '-e', script]
  const { stdout } = await startProgram(command, words).exited()
  const { status, found } = JSON.parse(stdout) as { status: number; found: string[] }

  expect(status).toBe(401)
  expect(found.slice(0, 3)).toEqual(['EACCES', 'EACCES', 'EACCES'])
  expect(found[3]).not.toContain(token)
  expect(existsSync(ran)).toBe(false)
})

describe.each(['SIGTERM', 'SIGINT'] as const)('at %s', (signal) => {
  test('calls are cancelled, with a call id too, and nothing is left', async () => {
    const token = newToken()
    const program = await startHttpProgram([token])
    const [modern, older] = [await connectHttp(program.url, token), await connectHttp2025(program.url, token)]
    const { _meta } = await modern.listTools()
    const meta = { 'bashward/callId': '1', 'bashward/conversation': String(_meta?.['bashward/conversation']) }
    const marker = uniqueSleep()
    const calls = [
      modern.call('bash', { command: `sleep ${marker}` }),
      older.call('bash', { command: `sleep ${marker}` }),
      older.call('bash', { command: `sleep ${marker}` }, { meta }),
    ]
    for (const call of calls) call.catch(() => {})
    await waitForSleep(marker, 3)
    program.kill(signal)
    const { code, signal: by } = await program.exited()

    expect([code, by]).toEqual([signal === 'SIGTERM' ? 143 : 130, null])
    await waitUntilGone(marker)
    expect(isAlive(program.pid)).toBe(false)
    expect(await openWire(program.port).closed()).toBe('')
  })

  test('background jobs go on', async () => {
    const token = newToken()
    const program = await startHttpProgram([token])
    const client = await connectHttp(program.url, token)
    const marker = uniqueSleep()
    await client.call('bash', { command: `sleep ${marker}`, mode: 'background' })
    await waitForSleep(marker)
    program.kill(signal)
    await program.exited()

    expect(await waitForSleep(marker)).toHaveLength(1)
  })
})

test('what is connected and says nothing does not hold up the end', async () => {
  const token = newToken()
  const program = await startHttpProgram([token])
  const idle = openWire(program.port)
  const slow = openWire(program.port)
  slow.send(requestText('POST', { ...headersOf(program.port, token), 'Content-Length': '100' }))
  const known = openWire(program.port)
  known.send(requestText('POST', headersOf(program.port, token), '{}'))
  expect(statusOf(await known.until('\r\n\r\n'))).toBe(400)
  program.kill('SIGTERM')

  expect((await program.exited()).code).toBe(143)
  await Promise.all([idle.closed(), slow.closed(), known.closed()])
})
