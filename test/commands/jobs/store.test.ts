// JobStore: finding jobs, and what it says when there are none.
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { JobStore, type JobStoreOptions } from '../../../lib/commands/jobs/store.js'
import { asOrdinaryUser, ordinaryOwner } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { jobsDirectory, startSleep, stopAll, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const emptyStore = () => {
  const root = jobsDirectory()
  return { root, store: new JobStore({ directory: root }) }
}

describe('a new JobStore', () => {
  test('is in the default directory', () => {
    const state = process.env.XDG_STATE_HOME
    process.env.XDG_STATE_HOME = '/state'
    try {
      expect(new JobStore().directory).toBe('/state/bashward/jobs')
    } finally {
      if (state === undefined) delete process.env.XDG_STATE_HOME
      else process.env.XDG_STATE_HOME = state
    }
  })

  test.each([
    [{ directory: 'relative' }, 'options.directory: must be an absolute path'],
    [{ directory: '' }, 'options.directory'],
    [{ maxAgeMs: -1 }, 'options.maxAgeMs'],
    [{ maxJobs: 0.5 }, 'options.maxJobs'],
    [{ dir: '/x' }, 'options.dir: unknown field'],
    [null, 'options: must be an object'],
  ])('refuses %j', (options, message) => {
    expect(() => new JobStore(options as JobStoreOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })
})

describe('list', () => {
  test('is empty when there is no directory, and creates none', async () => {
    const directory = join(tempDir(), 'none')

    expect(await new JobStore({ directory }).list()).toEqual([])
    expect(() => rmSync(directory)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  test('gives every job with its state, the oldest first', async () => {
    const { root, store } = emptyStore()
    writeJob(root, 'bash_aaaaaa', { createdAt: 3, supervisor: await startSleep() })
    writeJob(root, 'bash_bbbbbb', { createdAt: 1, exit: { status: 'failed', exitCode: 2 } })
    writeJob(root, 'bash_cccccc', { createdAt: 2 })

    expect((await store.list()).map(({ id, status }) => [id, status])).toEqual([
      ['bash_bbbbbb', 'failed'],
      ['bash_cccccc', 'lost'],
      ['bash_aaaaaa', 'running'],
    ])
  })

  test('gives the jobs of one conversation', async () => {
    const { root, store } = emptyStore()
    writeJob(root, 'bash_aaaaaa', { conversationId: 'one' })
    writeJob(root, 'bash_bbbbbb', { conversationId: 'two' })
    writeJob(root, 'bash_cccccc')
    const damaged = writeJob(root, 'bash_dddddd', { conversationId: 'one' })
    writeFileSync(damaged.record, '')

    expect((await store.list({ conversationId: 'one' })).map(({ id }) => id)).toEqual(['bash_aaaaaa'])
    expect(await store.list()).toHaveLength(4)
  })

  test('gives the others when the files of some are damaged in any way', async () => {
    const { root, store } = emptyStore()
    writeJob(root, 'bash_good00', { createdAt: 9, exit: {} })
    for (const [index, text] of ['', '{', 'null', '[]', '\0\0', '{"id":"bash_bad000"}'].entries()) {
      const { record } = writeJob(root, `bash_bad00${index}`)
      writeFileSync(record, text)
    }
    const broken = writeJob(root, 'bash_exit00', {})
    writeFileSync(broken.exit, '{"status":')
    const directory = writeJob(root, 'bash_dir000')
    rmSync(directory.record)
    mkdirSync(directory.record)
    const link = writeJob(root, 'bash_link00')
    rmSync(link.record)
    symlinkSync('/dev/zero', link.record)

    const jobs = await store.list()

    expect(jobs).toHaveLength(10)
    expect(jobs.filter(({ status }) => status === 'lost')).toHaveLength(9)
    expect(jobs.find(({ id }) => id === 'bash_good00')).toMatchObject({ status: 'completed' })
  })

  test('does not take for a job what is none', async () => {
    const { root, store } = emptyStore()
    mkdirSync(join(root, 'bash_aaaaaa'))
    mkdirSync(join(root, 'somebody else'))
    writeFileSync(join(root, 'bash_bbbbbb'), '')
    writeJob(tempDir(), 'bash_cccccc')
    symlinkSync('/tmp', join(root, 'bash_dddddd'))

    expect(await store.list()).toEqual([])
  })

  test('gives 500 jobs, and lets the event loop turn meanwhile', async () => {
    const { root, store } = emptyStore()
    for (let i = 0; i < 500; i++) writeJob(root, `bash_${String(i).padStart(6, '0')}`, { exit: {} })
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const jobs = await store.list()
    clearInterval(timer)

    expect(jobs).toHaveLength(500)
    expect(turns).toBeGreaterThan(2)
  })

  test('lets the event loop turn also among few jobs whose sandbox refused much', async () => {
    const { root, store } = emptyStore()
    const sandbox = { name: 'workspace', shell: '/bin/bash', writable: ['/srv/project'], unreadable: [] }
    const notes = Array.from({ length: 32 }, (_, i) => `denied 0 /srv/other${i}/file\0`).join('')
    for (let i = 10; i < 28; i++) {
      const { directory, record } = writeJob(root, `bash_aaaa${i}`, { exit: {} })
      const network = { loopback: true, unixSockets: true, domains: [] }
      const fields = { ...sandbox, ...network, sharedMemory: false, scratchDirectory: '' }
      writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), sandbox: fields }))
      writeFileSync(join(directory, 'sandbox'), notes)
    }
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const jobs = await store.list()
    clearInterval(timer)

    expect(jobs.map(({ denials }) => denials?.length)).toEqual(Array(18).fill(32))
    expect(turns).toBeGreaterThan(0)
  })

  test('refuses a conversation id that is none', async () => {
    const { store } = emptyStore()

    await expect(store.list({ conversationId: 7 as unknown as string })).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
    })
  })
})

describe('a directory that cannot be trusted', () => {
  test('is refused by every method', async () => {
    const { root, store } = emptyStore()
    writeJob(root, 'bash_aaaaaa', { exit: {} })
    chmodSync(root, 0o777)

    const refused = { code: 'ERR_JOB_DIRECTORY', errno: constants.errno.EPERM, path: root }
    await expect(store.list()).rejects.toMatchObject(refused)
    await expect(store.get('bash_aaaaaa')).rejects.toMatchObject(refused)
    await expect(store.read('bash_aaaaaa')).rejects.toMatchObject(refused)
    await expect(store.wait('bash_aaaaaa')).rejects.toMatchObject(refused)
    await expect(store.kill('bash_aaaaaa')).rejects.toMatchObject(refused)
    await expect(store.cleanUp()).rejects.toMatchObject(refused)
  })

  test('is an error that names it when it cannot be read', async () => {
    const root = jobsDirectory(ordinaryOwner)
    chmodSync(root, 0o300)

    await asOrdinaryUser(() =>
      expect(new JobStore({ directory: root }).list()).rejects.toMatchObject({
        code: 'ERR_JOB_DIRECTORY',
        step: 'readdir',
        errno: constants.errno.EACCES,
        path: root,
      }),
    )
    chmodSync(root, 0o700)
  })

  test('works for an ordinary user who owns it', async () => {
    const root = jobsDirectory(ordinaryOwner)

    await asOrdinaryUser(async () => {
      writeJob(root, 'bash_aaaaaa', { exit: {}, output: 'mine' })
      const store = new JobStore({ directory: root, maxJobs: 0 })
      expect(await store.read('bash_aaaaaa')).toMatchObject({ output: 'mine' })
      expect(await store.cleanUp()).toEqual(['bash_aaaaaa'])
    })
  })
})

describe('get', () => {
  test('gives one job', async () => {
    const { root, store } = emptyStore()
    writeJob(root, 'bash_aaaaaa', { exit: {}, command: 'true' })

    expect(await store.get('bash_aaaaaa')).toMatchObject({ status: 'completed', record: { command: 'true' } })
  })
})

describe('an unknown id', () => {
  const failure = async (store: JobStore, id: string): Promise<unknown> =>
    store.get(id).catch((error: unknown) => error)

  test('is answered with the jobs that run', async () => {
    const { root, store } = emptyStore()
    const supervisor = await startSleep()
    writeJob(root, 'bash_aaaaaa', { supervisor })
    writeJob(root, 'bash_bbbbbb', { exit: {} })
    writeJob(root, 'bash_cccccc', { supervisor })

    expect(await failure(store, 'bash_x')).toMatchObject({
      code: 'ERR_JOB_NOT_FOUND',
      message: expect.stringMatching(
        /^No background command with id bash_x \(running: (bash_aaaaaa, bash_cccccc|bash_cccccc, bash_aaaaaa)\)$/,
      ),
    })
  })

  test('is answered when nothing runs, or has ever run', async () => {
    const { store } = emptyStore()
    const message = 'No background command with id bash_zzzzzz (running: none)'

    expect(await failure(store, 'bash_zzzzzz')).toMatchObject({ message })
    expect(await failure(new JobStore({ directory: '/nonexistent/jobs' }), 'bash_zzzzzz')).toMatchObject({
      message,
    })
  })

  test('names at most 20 of many', async () => {
    const { root, store } = emptyStore()
    const supervisor = await startSleep()
    for (let i = 10; i < 35; i++) writeJob(root, `bash_0000${i}`, { supervisor })

    const { message } = (await failure(store, 'x')) as Error

    expect(message.match(/bash_/g)).toHaveLength(20)
    expect(message).toMatch(/, and 5 more\)$/)
  })

  test.each(['../../etc/passwd', 'bash_aaaaaa/../bash_aaaaaa', '', 'a\nb', 'x'.repeat(5000)])(
    'never becomes a path, nor a long message: %j',
    async (id) => {
      const { root, store } = emptyStore()
      writeJob(root, 'bash_aaaaaa', { exit: {} })

      const error = (await failure(store, id)) as Error

      expect(error).toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
      expect(error.message.length).toBeLessThan(200)
      expect(error.message).not.toContain('\n')
    },
  )

  test('is the same in every method', async () => {
    const { store } = emptyStore()
    const id = 'bash_zzzzzz'

    for (const call of [store.get(id), store.read(id), store.wait(id), store.kill(id)]) {
      await expect(call).rejects.toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
    }
  })

  test('that is no string is bad input', async () => {
    const { store } = emptyStore()

    await expect(store.get(7 as unknown as string)).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: 'id: must be a string (got 7)',
    })
  })
})
