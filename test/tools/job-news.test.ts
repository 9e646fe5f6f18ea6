// A background job that has ended is told with the next result of its conversation, once.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  createBashSuite,
  createBashTool,
  JobStore,
  type ToolContext,
} from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const talk = { workingDir: '/', conversationId: 'talk' }

/** One that dies when it is told to: before, no result tells of it. */
const dying = () => {
  const go = join(tempDir(), 'go')
  return {
    command: `until [ -e ${go} ]; do sleep 0.02; done; echo no port; exit 3`,
    die: async (jobs: JobStore, id: string) => {
      writeFileSync(go, '')
      await jobs.wait(id)
      return id
    },
  }
}
const told = (id: string) =>
  expect.stringMatching(new RegExp(`^\\[job ${id} ended: exit code 3 after [^;]+; last lines: no port\\]$`))

type Context = ToolContext<BashResult>

const bashWithJobs = () => {
  const jobs = tempStore()
  const bash = createBashTool({ jobs })
  const start = async (command: string, context: Context = talk) => {
    const { jobId = '' } = await bash.execute({ command, mode: 'background' }, context)
    return jobId
  }
  const dead = async (context: Context = talk) => {
    const { command, die } = dying()
    return await die(jobs, await start(command, context))
  }
  const next = async (context: Context = talk) => await bash.execute({ command: 'true' }, context)
  return { jobs, bash, start, dead, next }
}

test('once, with its last lines, and behind what the command has printed', async () => {
  const { bash, dead, next } = bashWithJobs()
  const id = await dead()
  const result = await next()

  expect(result.news).toEqual([told(id)])
  expect(bash.toText(result)).toBe(`[no output]\n${result.news?.[0]}`)
  expect(await next()).not.toHaveProperty('news')
})

test('not while it runs', async () => {
  const { jobs, start, next } = bashWithJobs()
  const id = await start('read line </dev/zero')
  expect(await next()).not.toHaveProperty('news')
  await jobs.kill(id)
  expect((await next()).news).toEqual([expect.stringContaining(`[job ${id} ended: killed by SIG`)])
})

test('to no other conversation, nor to a call without one', async () => {
  const { dead, next } = bashWithJobs()
  const own = await dead()
  await dead({ workingDir: '/' })

  expect(await next({ ...talk, conversationId: 'other' })).not.toHaveProperty('news')
  expect(await next({ workingDir: '/' })).not.toHaveProperty('news')
  expect((await next()).news).toEqual([told(own)])
})

test('not by a call that was cancelled', async () => {
  const { dead, next } = bashWithJobs()
  const id = await dead()

  expect(await next({ ...talk, cancel: AbortSignal.abort() })).not.toHaveProperty('news')
  expect((await next()).news).toEqual([told(id)])
})

test('of what a command has left behind as well', async () => {
  const { jobs, bash, next } = bashWithJobs()
  const { jobId = '' } = await bash.execute({ command: '(sleep 0.3; exit 0) & true' }, talk)
  await jobs.wait(jobId)

  expect((await next()).news).toEqual([expect.stringContaining(`[job ${jobId} ended: `)])
})

test('at most 20 at once, the others with the next result', async () => {
  const { jobs, start, next } = bashWithJobs()
  const { command, die } = dying()
  const ids: string[] = []
  for (let count = 0; count < 22; count += 1) ids.push(await start(command))
  await Promise.all(ids.map(async (id) => await die(jobs, id)))

  const results = [await next(), await next(), await next()]
  expect(results.map(({ news = [] }) => news.length)).toEqual([20, 2, 0])
})

test('the disk is not looked at for a conversation without jobs', async () => {
  const directory = join(tempDir(), 'jobs')
  const bash = createBashTool({ jobs: new JobStore({ directory }) })
  await bash.execute({ command: 'true' }, talk)

  expect(existsSync(directory)).toBe(false)
})

describe('with the suite', () => {
  const suite = () => {
    const jobs = tempStore()
    const { bash, bashOutput, killBash } = createBashSuite({ jobs })
    const start = async (command = 'read line </dev/zero') => {
      const { jobId = '' } = await bash.execute({ command, run_in_background: true }, talk)
      return jobId
    }
    const dead = async () => {
      const { command, die } = dying()
      return await die(jobs, await start(command))
    }
    return { bash, bashOutput, killBash, start, dead }
  }

  test('by BashOutput of another one, and by KillBash', async () => {
    const { bashOutput, killBash, start, dead } = suite()
    const runs = await start()
    const first = await dead()
    const read = await bashOutput.execute({ bash_id: runs }, talk)
    expect(read.news).toEqual([told(first)])
    expect(bashOutput.toText(read)).toContain(`\n${read.news?.[0]}`)

    const second = await dead()
    const killed = await killBash.execute({ bash_id: runs }, talk)
    expect(killed.news).toEqual([told(second)])
    expect(killBash.toText(killed)).toBe(`[killed]\n${killed.news?.[0]}`)
  })

  test('not again where BashOutput or KillBash has told it', async () => {
    const { bash, bashOutput, killBash, start, dead } = suite()
    expect(await bashOutput.execute({ bash_id: await dead() }, talk)).not.toHaveProperty('news')
    await killBash.execute({ bash_id: await start() }, talk)

    expect(await bash.execute({ command: 'true' }, talk)).not.toHaveProperty('news')
  })

  test('also with the start of another one', async () => {
    const { bash, dead } = suite()
    await dead()
    const result = await bash.execute({ command: 'read line </dev/zero', run_in_background: true }, talk)
    expect(bash.toText(result).split('\n').at(-1)).toBe(result.news?.[0])
  })
})

describe('beside a watch with the name of the conversation', () => {
  const watch = (jobs: JobStore) => jobs.watch({ consumer: 'talk', conversationId: 'talk' })

  test('it tells them, and no result does', async () => {
    const { jobs, dead, next } = bashWithJobs()
    const events = watch(jobs)
    const first = events.next()
    const id = await dead()
    const { value } = await first

    expect(value).toMatchObject({ type: 'end', job: { id } })
    expect(await next()).not.toHaveProperty('news')
    await events.return()
  })

  test('what it has acknowledged is not told again', async () => {
    const { jobs, dead, next } = bashWithJobs()
    const events = watch(jobs)
    await dead()
    await (await events.next()).value?.acknowledge()
    await events.return()

    expect(await next()).not.toHaveProperty('news')
  })

  test('what a result has told is acknowledged', async () => {
    const { jobs, dead, next } = bashWithJobs()
    const before = watch(jobs)
    await dead()
    await (await before.next()).value?.acknowledge()
    await before.return()
    const first = await dead()
    expect((await next()).news).toEqual([told(first)])

    const events = watch(jobs)
    const second = await dead()
    expect((await events.next()).value).toMatchObject({ job: { id: second } })
    await events.return()
  })
})
