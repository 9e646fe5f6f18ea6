// The file methods of a session are commands: what they see is what commands see, in bounded memory.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sandboxSession } from '../../../lib/surfaces/adapters/ai.js'
import { ConfinedFiles } from '../../../lib/surfaces/adapters/confined-files/confined-files.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(removeTempDirs)

const filesIn = (cwd: string) => new ConfinedFiles({ cwd, sandbox: 'unrestricted', options: {} })
const mib = 1024 ** 2

/** What a host that has a secret in its environment reads. */
const readByHost = (path: string, directory: string, options: object): string => {
  const script = `
    const { sandboxSession } = require('./dist/adapters/ai.js')
    const session = sandboxSession(${JSON.stringify(directory)}, ${JSON.stringify(options)})
    session.readTextFile({ path: ${JSON.stringify(path)} }).then(console.log, (error) => console.log(error.code))`
  const env = { ...process.env, SERVICE_API_KEY: 'SECRET-of-the-host' }
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

testWorkspace('nothing gives the environment of the host', async () => {
  const directory = realpathSync(tempDir())
  symlinkSync('/proc/self/environ', join(directory, 'link'))
  for (const sandbox of ['unrestricted', 'restricted', 'workspace']) {
    for (const path of [
      'link',
      '/proc/self/environ',
      '/proc/thread-self/environ',
      '/proc/self/task/../environ',
    ]) {
      const text = readByHost(path, directory, { sandbox })

      expect(text).toContain('LC_ALL=C')
      expect(text).not.toContain('SECRET')
    }
  }
})

test('a file that is larger than memory should be comes as a stream, and not at once', async () => {
  const directory = tempDir()
  const path = join(directory, 'large')
  writeFileSync(path, 'begin')
  truncateSync(path, 300 * mib)
  const session = sandboxSession(directory)
  const before = process.memoryUsage().rss

  await expect(session.readBinaryFile({ path })).rejects.toMatchObject({ code: 'EFBIG' })
  let length = 0
  const stream = (await session.readFile({ path })) as unknown as AsyncIterable<Uint8Array>
  for await (const piece of stream) length += piece.length
  expect(length).toBe(300 * mib)
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * mib)
})

test('a stream fails when another file has taken the place of the one it reads', async () => {
  const directory = tempDir()
  const [path, other] = [join(directory, 'file'), join(directory, 'other')]
  for (const each of [path, other]) {
    writeFileSync(each, '')
    truncateSync(each, 20 * mib)
  }
  const pieces = await filesIn(directory).stream(path)
  await pieces.next()
  writeFileSync(join(directory, 'kept'), '')
  await sandboxSession(directory).run({ command: 'mv -f other file' })

  await expect(pieces.next()).rejects.toMatchObject({ code: 'ESTALE' })
})

test('a file keeps its mode, and one that may not be there is made only where it is not', async () => {
  const directory = tempDir()
  const files = filesIn(directory)
  const path = join(directory, 'script')
  writeFileSync(path, 'old')
  chmodSync(path, 0o750)
  await files.write(path, 'new')

  expect(statSync(path).mode & 0o777).toBe(0o750)
  await expect(files.write(path, 'x', { isNew: true })).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(path, 'utf8')).toBe('new')
  await files.write(join(directory, 'a', 'b'), 'made', { isNew: true, mode: 0o711 })
  expect(statSync(join(directory, 'a', 'b')).mode & 0o777).toBe(0o711)
})

test('an abort ends what is under way, and nothing is written', async () => {
  const directory = tempDir()
  const path = join(directory, 'file')
  const signal = AbortSignal.abort(new Error('enough'))

  await expect(filesIn(directory).write(path, 'x', { signal })).rejects.toThrow('enough')
  await expect(filesIn(directory).read(path, { signal })).rejects.toThrow('enough')
  expect(() => statSync(path)).toThrow('ENOENT')
})

test('errors have the code of the system', async () => {
  const directory = tempDir()
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'f'), '')
  const files = filesIn(directory)
  const codeOf = async (method: Promise<unknown>) =>
    await method.then(
      () => 'none',
      ({ code }) => code,
    )
  const at = (path: string) => join(directory, path)

  expect(await codeOf(files.read(at('gone')))).toBe('ENOENT')
  expect(await codeOf(files.read(at('d')))).toBe('EISDIR')
  expect(await codeOf(files.read(at('f/x')))).toBe('ENOTDIR')
  expect(await codeOf(files.read('/dev/null'))).toBe('EINVAL')
  expect(await codeOf(files.list(at('f')))).toBe('ENOTDIR')
  expect(await codeOf(files.write(at('d'), 'x'))).toBe('EISDIR')
  expect(await codeOf(files.write(at('f/x'), 'x'))).toBe('ENOTDIR')
  expect(await codeOf(files.remove(at('d')))).toBe('EISDIR')
  expect(await codeOf(files.read(at('n'.repeat(300))))).toBe('ENAMETOOLONG')
})
