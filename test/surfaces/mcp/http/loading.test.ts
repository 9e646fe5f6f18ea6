// What serves HTTP is loaded by nobody else, and works on the portable engine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { binPath, killPrograms, startProgram } from '../../cli/program.js'
import { closeHttpClients, connectHttp } from './http-clients.js'
import { newToken, tokenFile } from './servers.js'

afterEach(async () => {
  await closeHttpClients()
  await killPrograms()
  removeTempDirs()
})

/** What a program has loaded at its end, of what serves HTTP. */
const loadedBy = async (args: string[]): Promise<string[]> => {
  const directory = tempDir()
  const [hook, list] = [join(directory, 'hook.cjs'), join(directory, 'list')]
  const code = `process.on('exit', () => require('fs').writeFileSync('${list}', JSON.stringify(
    [...Object.keys(require.cache), ...process.moduleLoadList])))`
  writeFileSync(hook, code)
  const program = startProgram(process.execPath, ['--require', hook, ...args], { cwd: packageRoot })
  program.process.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  await program.exited()
  const names = JSON.parse(readFileSync(list, 'utf8')) as string[]
  return names.filter((name) => /dist\/mcp\/http|NativeModule _?http/.test(name))
}

test.each([
  ["require('bashward')", ['-e', "require('bashward')"]],
  ['bashward mcp', [binPath, 'mcp']],
  ['bashward run', [binPath, 'run', 'true']],
])('%s loads nothing of it', async (_, args) => {
  expect(await loadedBy(args)).toEqual([])
})

test('on the portable engine calls run, and one with an id is refused', async () => {
  const token = newToken()
  const words = [binPath, 'mcp', '--http', '127.0.0.1:0', '--token-file', tokenFile(token), '--structured']
  const program = startProgram(process.execPath, words, { env: { BASHWARD_ENGINE: 'portable' } })
  const [, url = ''] = await waitFor(() => /listening on (\S+)/.exec(program.stderr()), {
    what: 'the server to listen',
  })
  const client = await connectHttp(new URL(url), token)
  const { _meta } = await client.listTools()
  const meta = { 'bashward/callId': '1', 'bashward/conversation': String(_meta?.['bashward/conversation']) }
  const file = join(tempDir(), 'ran')
  const refused = await client.call('bash', { command: `touch ${file}` }, { meta })

  expect(refused.structured).toMatchObject({ status: 'error', error: { code: 'ERR_UNSUPPORTED_PLATFORM' } })
  expect(existsSync(file)).toBe(false)
  expect((await client.call('bash', { command: 'echo runs' })).text).toBe('runs\n')
})
