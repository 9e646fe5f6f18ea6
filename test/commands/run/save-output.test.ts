// saveOutput: the whole of long output in a file.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSaveOutput, newSavePath } from '../../../lib/commands/run/save-output.js'
import { createBashTool, probeSandbox, run } from '../../../lib/index.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

const kib = 1024
const seq = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('')

describe('checkSaveOutput', () => {
  test.each([undefined, false])('%s is no file', (value) => {
    expect(checkSaveOutput('saveOutput', value)).toBeUndefined()
  })

  test.each([[true], [{}], [{ directory: undefined, maxBytes: undefined }]])('%j is the default', (value) => {
    expect(checkSaveOutput('saveOutput', value)).toEqual({ directory: tmpdir(), maxBytes: kib ** 3 })
  })

  test.each([128 * kib, kib ** 4])('the ends of the range are allowed: %d bytes', (maxBytes) => {
    expect(checkSaveOutput('saveOutput', { directory: '/var', maxBytes })).toEqual({
      directory: '/var',
      maxBytes,
    })
  })

  test.each([
    ['saveOutput: must be an object (got "/tmp")', '/tmp'],
    ['saveOutput: must be an object (got null)', null],
    ['saveOutput.path: unknown field (allowed: directory, maxBytes)', { path: '/tmp/x' }],
    ['saveOutput.directory: must be an absolute path (got "tmp")', { directory: 'tmp' }],
    [
      'saveOutput.maxBytes: must be an integer from 131072 to 1099511627776 bytes (got 1024)',
      { maxBytes: 1024 },
    ],
  ])('refuses %s', (message, value) => {
    expect(() => checkSaveOutput('saveOutput', value)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }),
    )
  })

  test('it goes with merged streams only', async () => {
    await expect(run('true', { cwd: '/', streams: 'separate', saveOutput: true })).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: "saveOutput: must be left out with streams: 'separate' (got true)",
    })
  })
})

describe('newSavePath', () => {
  test('gives another name each time, in the directory', () => {
    const target = { directory: '/var/tmp', maxBytes: 1 }
    const paths = Array.from({ length: 100 }, () => newSavePath(target))

    expect(new Set(paths).size).toBe(100)
    for (const path of paths) expect(path).toMatch(/^\/var\/tmp\/bashward-output-[0-9a-f]{16}\.log$/)
  })
})

describe('saveOutput', () => {
  test('output that is given whole makes no file', async () => {
    const directory = tempDir()
    const result = await run('seq 1000', { cwd: '/', saveOutput: { directory } })

    expect(result.truncated).toBe(false)
    expect(result).not.toHaveProperty('savedOutput')
    expect(readdirSync(directory)).toEqual([])
  })

  test('longer output is in the file, every byte of it, for nobody else to read', async () => {
    const directory = tempDir()
    const { savedOutput = '', ...result } = await run('seq 100000', { cwd: '/', saveOutput: { directory } })

    expect(result).toMatchObject({ truncated: true, outputBytes: seq.length, savedOutputBytes: seq.length })
    expect(result).not.toHaveProperty('savedOutputError')
    expect(readdirSync(directory).map((name) => join(directory, name))).toEqual([savedOutput])
    expect(readFileSync(savedOutput, 'utf8')).toBe(seq)
    expect(statSync(savedOutput).mode & 0o777).toBe(0o600)
  })

  test('the file is in the temporary directory by default', async () => {
    const { savedOutput = '' } = await run('seq 100000', { cwd: '/', saveOutput: true })

    expect(savedOutput.startsWith(join(tmpdir(), 'bashward-output-'))).toBe(true)
    expect(statSync(savedOutput).size).toBe(seq.length)
    rmSync(savedOutput)
  })

  test('beyond maxBytes it ends, and the result says how much there is', async () => {
    const saveOutput = { directory: tempDir(), maxBytes: 200_000 }
    const { savedOutput = '', ...result } = await run('seq 100000', { cwd: '/', saveOutput })

    expect(result).toMatchObject({ outputBytes: seq.length, savedOutputBytes: 200_000 })
    expect(readFileSync(savedOutput, 'utf8')).toBe(seq.slice(0, 200_000))
  })

  test('a timeout leaves what there was', async () => {
    const { status, savedOutput = '' } = await run('seq 100000; sleep 30', {
      cwd: '/',
      timeout: 1000,
      saveOutput: { directory: tempDir() },
    })

    expect(status).toBe('timed_out')
    expect(readFileSync(savedOutput, 'utf8')).toBe(seq)
  })

  test('many at once keep apart', async () => {
    const saveOutput = { directory: tempDir() }
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) => run(`yes ${i} | head -n 100000`, { cwd: '/', saveOutput })),
    )

    expect(results.map(({ savedOutput = '' }) => readFileSync(savedOutput, 'utf8'))).toEqual(
      Array.from({ length: 6 }, (_, i) => `${i}\n`.repeat(100_000)),
    )
  })

  test('progress that is short once it is rendered leaves no file', async () => {
    const directory = tempDir()
    const command = 'for ((i = 1; i <= 12000; i++)); do printf "\\r%d of 12000" $i; done; echo'
    const result = await run(command, { cwd: '/', normalizeOutput: true, saveOutput: { directory } })

    expect(result.outputBytes).toBeGreaterThan(128 * kib)
    expect(result).toMatchObject({ output: '12000 of 12000\n', truncated: false })
    expect(readdirSync(directory)).toEqual([])
  })

  test('a command that leads its directory elsewhere while it runs makes no file there', async () => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    const [cwd, outside] = [tempDir(), tempDir()]
    const directory = join(cwd, 'out')
    mkdirSync(directory)
    const command = `mv out moved; ln -s ${outside} out; seq 100000`
    const options = { cwd, sandbox: 'workspace', saveOutput: { directory } } as const
    const { status } = await run(command, options)

    expect(status).toBe('completed')
    expect(readdirSync(outside)).toEqual([])
    const [name = ''] = readdirSync(join(cwd, 'moved'))
    expect(readFileSync(join(cwd, 'moved', name), 'utf8')).toBe(seq)
  })

  test('a directory that is missing is no failure of the command, and the result says so', async () => {
    const directory = join(tempDir(), 'missing')
    const result = await run('seq 100000', { cwd: '/', saveOutput: { directory } })

    expect(result).toMatchObject({ status: 'completed', truncated: true, outputBytes: seq.length })
    expect(result).not.toHaveProperty('savedOutput')
    expect(result.savedOutputError).toMatch(/bashward-output-\w+\.log: ENOENT \(no such file or directory\)$/)
  })
})

describe('what the model reads of it', () => {
  const textWith = async (saveOutput: { directory: string; maxBytes?: number }) => {
    const tool = createBashTool({ saveOutput })
    const result = await tool.execute({ command: 'seq 100000' }, { workingDir: '/' })
    return { result, lastLine: tool.toText(result).split('\n').at(-1) }
  }

  test('the last line names the file', async () => {
    const { result, lastLine } = await textWith({ directory: tempDir() })

    expect(existsSync(result.savedOutput ?? '')).toBe(true)
    expect(lastLine).toBe(`[whole output saved: ${result.savedOutput}]`)
  })

  test('the last line says that the file has a part', async () => {
    const { result, lastLine } = await textWith({ directory: tempDir(), maxBytes: 128 * kib })

    expect(lastLine).toBe(`[first 128.0KB of the output saved: ${result.savedOutput}]`)
  })

  test('the last line says why there is no file', async () => {
    const directory = join(tempDir(), 'missing')
    const { result, lastLine } = await textWith({ directory })
    mkdirSync(directory)

    expect(lastLine).toBe(`[output not saved: ${result.savedOutputError}]`)
  })
})
