// Background jobs in Restricted mode: confined as other commands are, and ended by the command that their reminder names.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { protections } from '../../lib/guard/sandbox/protections.js'
import { createBashSuite } from '../../lib/index.js'
import { endJobs, tempStore, waitForOutput, waitForStatusLine } from '../support/jobs.js'
import { isAlive, killLeftovers, uniqueSleep, waitForSleep } from '../support/processes.js'
import { testRestricted } from '../support/restricted.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { startJob } from './background-job.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const restricted = { sandbox: 'restricted' } as const

describe('a job', () => {
  testRestricted('says what is in force', async () => {
    const { result } = await startJob('true', {}, restricted)

    expect(result).toMatchObject({
      status: 'background',
      sandbox: 'restricted',
      enforced: expect.arrayContaining(protections.filter((name) => name !== 'signals')),
    })
  })

  testRestricted('prints into its file, and writes to no other', async () => {
    const file = join(tempDir(), 'file')
    const { result } = await startJob(`echo out; echo x >'${file}'`, {}, restricted)
    const text = await waitForStatusLine(result.outputFile)

    expect(text).toMatch(/^out\n.*Permission denied\n\n\n\[background process failed: exit code 1\]$/)
    expect(existsSync(file)).toBe(false)
  })

  testRestricted('cannot write to its own output file but by printing', async () => {
    const { result, store } = await startJob(
      'read -r < <(sleep 0.1); for f in "$0"; do :; done',
      {},
      restricted,
    )
    await waitForStatusLine(result.outputFile)
    const other = await startJob(
      `echo forged >>'${result.outputFile}'; rm -rf '${store.directory}'`,
      { jobs: store },
      restricted,
    )
    await waitForStatusLine(other.result.outputFile)

    expect(await waitForStatusLine(result.outputFile)).not.toContain('forged')
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([result.jobId, other.result.jobId].sort())
  })

  testRestricted('has a scratch directory until it ends', async () => {
    const command = 'echo kept >"$TMPDIR/file"; cat "$TMPDIR/file"; echo "$TMPDIR"'
    const { result } = await startJob(command, { scratch: true }, restricted)
    const [content, directory = ''] = (await waitForStatusLine(result.outputFile)).split('\n')

    expect(content).toBe('kept')
    expect(existsSync(directory)).toBe(false)
  })

  testRestricted('that fills its scratch directory is killed', async () => {
    const command = 'for i in {1..1000}; do head -c 300000 /dev/zero >"$TMPDIR/$i"; sleep 0.01; done'
    const { result } = await startJob(command, { scratch: { maxBytes: 1024 ** 2 } }, restricted)

    expect(await waitForStatusLine(result.outputFile)).toMatch(
      /\n\n\[scratch directory limit of 1\.0MB reached: everything was killed\]\n\n\[background process killed: SIG\w+\]$/,
    )
  })
})

describe('a child of a job whose shell has ended', () => {
  testRestricted('that fills the scratch directory is the end of the job', async () => {
    const command = '(sleep 1; head -c 900000 /dev/zero | tee "$TMPDIR/a" >"$TMPDIR/b"; sleep 300) &'
    const { result, store } = await startJob(command, { scratch: { maxBytes: 1024 ** 2 } }, restricted)

    expect(await waitForStatusLine(result.outputFile)).toMatch(
      /limit of 1\.0MB reached: everything was killed\]/,
    )
    expect(await store.wait(result.jobId ?? '')).toMatchObject({ status: 'killed' })
  })
})

describe('the command of the reminder', () => {
  const startSleep = async (conversationId?: string) => {
    const marker = uniqueSleep()
    const job = await startJob(`sleep ${marker}`, {}, { ...restricted, conversationId })
    await waitForSleep(marker)
    const [, command = ''] = /To stop: (kill -9 -\d+)</.exec(job.text) ?? []
    return { ...job, command }
  }

  testRestricted('ends the job, and says who did it', async () => {
    const { tool, result, command } = await startSleep()
    const killed = await tool.execute({ command }, { workingDir: '/', ...restricted })

    expect(killed).toMatchObject({
      status: 'completed',
      exitCode: 0,
      sandbox: 'restricted',
      output: `[job ${result.jobId} (process group ${result.pgid}) was killed by the job store]`,
    })
    expect(isAlive(result.pid ?? 0)).toBe(false)
  })

  testRestricted('is also understood by the suite', async () => {
    const { store, result, command } = await startSleep()
    const { bash } = createBashSuite({ jobs: store })
    const killed = await bash.execute({ command }, { workingDir: '/', ...restricted })

    expect(killed).toMatchObject({ status: 'completed', output: expect.stringContaining('killed by') })
    expect(isAlive(result.pid ?? 0)).toBe(false)
  })

  testRestricted('of another conversation is refused by the kernel', async () => {
    const { tool, result, command } = await startSleep('one')
    const other = await tool.execute({ command }, { workingDir: '/', ...restricted, conversationId: 'two' })

    expect(other).toMatchObject({
      status: 'failed',
      output: expect.stringContaining('Operation not permitted'),
      denied: 'processes outside the command cannot be signalled in Restricted mode',
    })
    expect(isAlive(result.pid ?? 0)).toBe(true)
  })

  testRestricted('does nothing when the call is cancelled already', async () => {
    const { tool, result, command } = await startSleep()
    const context = { workingDir: '/', ...restricted, cancel: AbortSignal.abort() }

    expect(await tool.execute({ command }, context)).toMatchObject({ status: 'cancelled' })
    expect(isAlive(result.pid ?? 0)).toBe(true)
  })

  test('in Unrestricted mode is the command itself', async () => {
    const marker = uniqueSleep()
    const { tool, store, result } = await startJob(`sleep ${marker}`)
    await waitForSleep(marker)
    const killed = await tool.execute({ command: `kill -9 -${result.pgid}` }, { workingDir: '/' })

    expect(killed).toMatchObject({ status: 'completed', output: '', usage: expect.anything() })
    expect(await store.wait(result.jobId ?? '')).toMatchObject({ status: 'killed' })
  })
})

describe('a background command of the suite', () => {
  testRestricted('is read and killed by the other tools', async () => {
    const { bash, bashOutput, killBash } = createBashSuite({ jobs: tempStore() })
    const context = { workingDir: '/', ...restricted }
    const input = { command: `echo ready; sleep ${uniqueSleep()}`, run_in_background: true }
    const { jobId = '', outputFile, sandbox } = await bash.execute(input, context)
    await waitForOutput(outputFile, 'ready\n')

    expect(sandbox).toBe('restricted')
    expect(await bashOutput.execute({ bash_id: jobId }, context)).toMatchObject({ output: 'ready\n' })
    expect(await killBash.execute({ bash_id: jobId }, context)).toMatchObject({ status: 'killed' })
  })
})
