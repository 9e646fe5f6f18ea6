// What the sandbox refuses a background job, and what it finds, while the job runs and afterwards.
import { appendFileSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createBashSuite } from '../../../lib/index.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import { gate, leaveNothing, liveJobs, supervisorPid } from './live-jobs.js'

afterEach(leaveNothing)

const setUp = () => {
  const base = realpathSync(tempDir())
  const workingDir = join(base, 'project')
  for (const name of ['project', 'project/open', 'other', 'third']) mkdirSync(join(base, name))
  const { store, directory, tool } = liveJobs()
  const context = { workingDir, sandbox: 'workspace' } as const
  const run = (command: string) => tool.execute({ command }, context)
  const start = async (command: string) => {
    const { jobId = '', error } = await tool.execute({ command, mode: 'background' }, context)
    if (jobId === '') throw new Error(error?.message)
    return jobId
  }
  const suite = createBashSuite({ jobs: store })
  const printed = async (id: string) => {
    const output = await suite.bashOutput.execute({ bash_id: id }, context)
    return { output, text: suite.bashOutput.toText(output) }
  }
  const open = `until [ -e open/go ]; do sleep .02; done`
  return { base, workingDir, store, directory, tool, run, start, printed, wait: open }
}

const chmodRefused = (target: string) => expect.objectContaining({ operation: 'chmod', target })

testWorkspace('what is refused a job that runs on is told at once', async () => {
  const { base, start, store, printed, wait } = setUp()
  const id = await start(`chmod 700 ../other 2>/dev/null; ${wait}`)
  const denials = await waitFor(async () => (await store.get(id)).denials, { what: 'the denial' })

  expect(denials).toEqual([chmodRefused(join(base, 'other'))])
  const { output, text } = await printed(id)
  expect(output).toMatchObject({ status: 'running', sandbox: 'workspace', denials })
  expect(text).toMatch(
    /^\[running\]\n\[sandbox: changing modes is allowed below .* only; refused: chmod .*other\]$/,
  )
})

testWorkspace('what a job was refused and has changed is told at its end', async () => {
  const { base, workingDir, start, store, printed } = setUp()
  const id = await start('chmod 700 ../other; : >../file; : >.envrc')
  const job = await store.wait(id)

  expect(job).toMatchObject({
    status: 'completed',
    sandbox: 'workspace',
    denied: expect.stringContaining('changing modes is allowed below'),
    denials: [chmodRefused(join(base, 'other'))],
    protectedChanged: [join(workingDir, '.envrc')],
  })
  const { output, text } = await printed(id)
  expect(output.denials).toEqual([
    chmodRefused(join(base, 'other')),
    expect.objectContaining({ operation: 'write', target: join(base, 'file'), inferred: true }),
  ])
  expect(text).toContain(`[sandbox: this command changed ${join(workingDir, '.envrc')}: `)
})

testWorkspace('survivors tell as a job what was refused them since', async () => {
  const { base, workingDir, run, store, wait } = setUp()
  const command = `chmod 700 ../other; : >.envrc; (${wait}; chmod 700 ../third; : >.mise.toml) & true`
  const result = await run(command)

  expect(result).toMatchObject({
    denials: [chmodRefused(join(base, 'other'))],
    protectedChanged: [join(workingDir, '.envrc')],
  })
  appendFileSync(join(workingDir, 'open/go'), '')
  expect(await store.wait(result.jobId ?? '')).toMatchObject({
    denials: [chmodRefused(join(base, 'third'))],
    protectedChanged: [join(workingDir, '.envrc'), join(workingDir, '.mise.toml')],
  })
})

testWorkspace('what was refused a job whose supervisor was killed is known all the same', async () => {
  const { base, start, store, wait } = setUp()
  const id = await start(`chmod 700 ../other; ${wait}`)
  const job = await waitFor(
    async () => {
      const found = await store.get(id)
      return found.denials && found
    },
    { what: 'the denial' },
  )
  process.kill(supervisorPid(job), 'SIGKILL')

  expect(await store.wait(id)).toMatchObject({
    status: 'lost',
    denials: [chmodRefused(join(base, 'other'))],
  })
})

testWorkspace('of many refusals the first are noted, and the number of the others', async () => {
  const { base, start, store } = setUp()
  for (let i = 1; i <= 35; ++i) mkdirSync(join(base, `d${i}`))
  const id = await start('for i in {1..35}; do chmod 700 ../d$i ../d1; done 2>/dev/null')
  const { denials, denialsDropped } = await store.wait(id)

  expect(denials).toHaveLength(32)
  expect(denials).toEqual(expect.arrayContaining([chmodRefused(join(base, 'd32'))]))
  expect(denialsDropped).toBe(3)
})

testWorkspace('a job of Restricted mode tells what its output speaks of', async () => {
  const { workingDir, tool, store } = setUp()
  const context = { workingDir, sandbox: 'restricted' } as const
  const { jobId = '' } = await tool.execute({ command: ': >file', mode: 'background' }, context)
  await store.wait(jobId)

  expect(await store.read(jobId)).toMatchObject({
    status: 'failed',
    sandbox: 'restricted',
    denials: [expect.objectContaining({ operation: 'write', inferred: true })],
  })
})

test('a job without a sandbox has no notes, and its record says nothing of one', async () => {
  const { store, directory, start } = liveJobs()
  const { wait, open } = gate()
  const { id } = await start(`${wait}`)
  open()
  const job = await store.wait(id)

  expect(job).not.toHaveProperty('sandbox')
  expect(job.record).not.toHaveProperty('sandbox')
  expect(() => readFileSync(join(directory, id, 'sandbox'))).toThrow('ENOENT')
})
