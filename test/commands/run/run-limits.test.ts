// Resource limits, felt by real commands.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

describe('cpuSeconds', () => {
  test('ends a busy loop of bash, and the result says which limit it was', async () => {
    const result = await run('echo on; while :; do :; done', { cwd: '/', limits: { cpuSeconds: 1 } })

    expect(result).toMatchObject({
      status: 'failed',
      output: 'on\n',
      exitCode: null,
      signal: 'SIGXCPU',
      limit: 'cpu',
      limitValue: 1,
    })
    expect(result.usage?.userMs ?? 0).toBeGreaterThan(500)
  })

  test('ends a busy child, and the result says which limit it was', async () => {
    const result = await run("bash -c 'while :; do :; done'; exit $?", {
      cwd: '/',
      limits: { cpuSeconds: 1 },
    })

    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 152,
      signal: null,
      limit: 'cpu',
      limitValue: 1,
    })
  })

  test('ends also what ignores SIGXCPU, five seconds later', async () => {
    const result = await run("trap '' XCPU; while :; do :; done", { cwd: '/', limits: { cpuSeconds: 1 } })

    expect(result).toMatchObject({ status: 'failed', signal: 'SIGKILL', limit: 'cpu', limitValue: 1 })
  })

  test.each(['exit 152', 'exit 137', 'kill -XCPU $$', 'kill -KILL $$'])(
    'has not ended `%s`, which only looks like it',
    async (command) => {
      const result = await run(command, { cwd: '/', limits: { cpuSeconds: 60 } })

      expect(result.status).toBe('failed')
      expect(result).not.toHaveProperty('limit')
    },
  )

  test('does not count time that is slept', async () => {
    const result = await run('sleep 1.5; echo done', { cwd: '/', limits: { cpuSeconds: 1 } })

    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
    expect(result).not.toHaveProperty('limit')
  })
})

describe('fileSizeBytes', () => {
  test('ends what writes more to a file, and the result says which limit it was', async () => {
    const file = join(tempDir(), 'file')
    const result = await run(`head -c 100000 /dev/zero > '${file}'`, {
      cwd: '/',
      limits: { fileSizeBytes: 4096 },
    })

    expect(result).toMatchObject({ status: 'failed', exitCode: 153, limit: 'fileSize', limitValue: 4096 })
    expect(statSync(file).size).toBe(4096)
  })

  test('is no limit of the output', async () => {
    const result = await run('seq 10000', { cwd: '/', limits: { fileSizeBytes: 0 } })

    expect(result).toMatchObject({ status: 'completed', outputBytes: 48_894 })
  })

  test('does not hinder a long command', async () => {
    const result = await run(`${'#'.repeat(200_000)}\necho done`, { cwd: '/', limits: { fileSizeBytes: 0 } })

    expect(result).toMatchObject({ status: 'completed', output: 'done\n' })
  })
})

describe('memoryBytes', () => {
  test('a command that needs more fails by itself', async () => {
    const command = 'x=$(head -c 50000000 /dev/zero | tr "\\0" a); echo never'
    const result = await run(command, { cwd: '/', limits: { memoryBytes: 20 * 1024 * 1024 } })

    expect(result.status).toBe('failed')
    expect(result.output).toMatch(/cannot allocate/)
  })
})

describe('openFiles', () => {
  test('is what the command sees', async () => {
    const result = await run('ulimit -Sn; ulimit -Hn', { cwd: '/', limits: { openFiles: 16 } })

    expect(result).toMatchObject({ status: 'completed', output: '16\n16\n' })
  })
})

describe('all of them', () => {
  test('are what the command sees', async () => {
    const mib = 1024 * 1024
    const limits = { cpuSeconds: 60, memoryBytes: 100 * mib, fileSizeBytes: 10 * mib, openFiles: 64 }
    const result = await run('ulimit -St; ulimit -Ht; ulimit -d; ulimit -f; ulimit -n', { cwd: '/', limits })

    expect(result.output.split('\n')).toEqual(['60', '65', '102400', '10240', '64', ''])
  })

  test('one above that of this process is lowered to it', async () => {
    const [limited] = (await run('ulimit -Hn', { cwd: '/' })).output.split('\n')
    const result = await run('ulimit -Hn', { cwd: '/', limits: { openFiles: 1_048_576 } })

    expect(Number(result.output)).toBe(Math.min(1_048_576, Number(limited)))
  })

  test('absent ones are those of this process', async () => {
    const all = 'ulimit -a | grep -v pipe'
    const [free, limited] = await Promise.all([
      run(all, { cwd: '/' }),
      run(all, { cwd: '/', limits: { openFiles: 64 } }),
    ])
    const others = (text: string) => text.split('\n').filter((line) => !line.startsWith('open files'))

    expect(others(limited.output)).toEqual(others(free.output))
  })
})
