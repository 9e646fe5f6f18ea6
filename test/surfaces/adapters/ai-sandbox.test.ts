// The AI SDK's SandboxSession.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Experimental_SandboxSession } from 'ai'
import { sandboxSession } from '../../../lib/surfaces/adapters/ai.js'
import { killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(() => {
  killLeftovers()
  removeTempDirs()
})

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

const session = (directory = tempDir()): Experimental_SandboxSession => sandboxSession(directory)

describe('run', () => {
  test('gives the streams and the exit code', async () => {
    expect(await session().run({ command: 'echo out; echo err >&2; exit 3' })).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
  })

  test('resolves the working directory, and sets variables', async () => {
    const { stdout } = await session('/usr').run({
      command: 'pwd; echo "$NAME"',
      workingDirectory: 'bin/..',
      env: { NAME: 'value' },
    })

    expect(stdout).toBe('/usr\nvalue\n')
  })

  test('an exit code stands for a signal, and for a timeout', async () => {
    expect(await session().run({ command: 'kill -TERM $$' })).toMatchObject({ exitCode: 143 })
    expect(await sandboxSession('/', { timeout: 100 }).run({ command: 'sleep 300' })).toMatchObject({
      exitCode: 124,
      stderr: '[command timed out after 0.1s]\n',
    })
  })

  test('an abort kills the command and is the rejection', async () => {
    const marker = uniqueSleep()
    const abort = new AbortController()
    const running = session().run({ command: `sleep ${marker}`, abortSignal: abort.signal })
    await waitForSleep(marker)
    abort.abort(new Error('enough'))

    await expect(running).rejects.toThrow('enough')
    expect(sleepsWith(marker)).toEqual([])
  })
})

describe('spawn', () => {
  test('streams the output and tells the exit code', async () => {
    const { stdout, stderr, wait } = await session().spawn({ command: 'echo out; echo err >&2; exit 5' })

    expect(await Promise.all([textOf(stdout), textOf(stderr)])).toEqual(['out\n', 'err\n'])
    expect(await wait()).toEqual({ exitCode: 5 })
  })

  test('kill ends everything that it has started', async () => {
    const marker = uniqueSleep()
    const { kill, wait } = await session().spawn({ command: `setsid -f sleep ${marker}; sleep ${marker}` })
    await waitForSleep(marker, 2)
    await kill()
    await kill()

    expect(sleepsWith(marker)).toEqual([])
    expect(await wait()).toEqual({ exitCode: 130 })
  })

  test('output that nobody reads is left out, and the stream says so', async () => {
    const { stdout, wait } = await session().spawn({ command: 'seq 2000000' })
    await wait()

    expect(await textOf(stdout)).toMatch(/\n\[\.\.\. [\d.]+MB skipped \.\.\.\]\n/)
  })
})

describe('files', () => {
  test('are written with their directories, and read', async () => {
    const directory = tempDir()
    const { writeTextFile, writeBinaryFile, writeFile, readTextFile, readBinaryFile, readFile } =
      session(directory)
    await writeTextFile({ path: 'a/b/text', content: 'one\ntwo\nthree\n' })
    await writeBinaryFile({ path: 'bytes', content: new Uint8Array([1, 2]) })
    await writeFile({ path: 'stream', content: new Blob(['streamed']).stream() })

    expect(readFileSync(join(directory, 'a/b/text'), 'utf8')).toBe('one\ntwo\nthree\n')
    expect(await readTextFile({ path: 'a/b/text' })).toBe('one\ntwo\nthree\n')
    expect(await readTextFile({ path: 'a/b/text', startLine: 2, endLine: 2 })).toBe('two')
    expect(await readBinaryFile({ path: 'bytes' })).toEqual(Buffer.from([1, 2]))
    const stream = await readFile({ path: join(directory, 'stream') })
    expect(stream && (await textOf(stream))).toBe('streamed')
  })

  test('that do not exist are null', async () => {
    const { readTextFile, readBinaryFile, readFile, stat, listDirectory, deleteFile } = session()
    const path = 'missing'

    expect(await readTextFile({ path })).toBeNull()
    expect(await readBinaryFile({ path })).toBeNull()
    expect(await readFile({ path })).toBeNull()
    expect(await stat({ path })).toBeNull()
    expect(await listDirectory({ path })).toBeNull()
    expect(await deleteFile({ path })).toBe(false)
  })

  test('are described, listed and deleted', async () => {
    const directory = tempDir()
    writeFileSync(join(directory, 'file'), '12345')
    symlinkSync('file', join(directory, 'link'))
    const { stat, listDirectory, deleteFile } = session(directory)

    expect(await stat({ path: 'link' })).toEqual({ type: 'file', size: 5 })
    expect(await stat({ path: '.' })).toMatchObject({ type: 'directory' })
    expect((await listDirectory({ path: '.' }))?.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'file', type: 'file' },
      { name: 'link', type: 'symlink' },
    ])
    expect(await deleteFile({ path: 'link' })).toBe(true)
    expect(existsSync(join(directory, 'file'))).toBe(true)
    await expect(deleteFile({ path: '.' })).rejects.toThrow()
  })
})

testRestricted('in Restricted mode neither commands nor methods can write', async () => {
  const directory = tempDir()
  const { run, writeTextFile, deleteFile, description } = sandboxSession(directory, { sandbox: 'restricted' })

  expect(description).toContain('RESTRICTED MODE')
  expect(await run({ command: 'touch file' })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('files are read-only in Restricted mode'),
  })
  await expect(writeTextFile({ path: 'file', content: '' })).rejects.toMatchObject({ code: 'EROFS' })
  await expect(deleteFile({ path: 'file' })).rejects.toMatchObject({ code: 'EROFS' })
  expect(existsSync(join(directory, 'file'))).toBe(false)
})
