// A job stops its supervisor: its output is still read, and its end is known.
import { gate, leaveNothing, liveJobs, textOf } from './live-jobs.js'

afterEach(leaveNothing)

test('its end is written', async () => {
  const { store, start } = liveJobs()
  const { id } = await start('kill -STOP $PPID; echo on; exit 3')

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 3 })
})

test('it does not wait for ever with more output than a pipe holds', async () => {
  const { store, start } = liveJobs()
  const { id, outputFile } = await start('kill -STOP $PPID; yes | head -c 300000; echo end')

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'completed',
    outputBytes: 300_004,
  })
  expect(textOf(outputFile)).toMatch(/\nend\n/)
})

test('it may be stopped again, and before it was adopted', async () => {
  const { wait, open } = gate()
  const { store, tool } = liveJobs()
  const command = `P=$PPID; (kill -STOP $P; ${wait}; kill -STOP $P; echo later) & echo now`
  const result = await tool.execute({ command }, { workingDir: '/' })
  expect(result).toMatchObject({ status: 'completed', output: 'now\n' })
  open()

  expect(await store.wait(result.jobId ?? '', { timeoutMs: 20_000 })).toMatchObject({ status: 'completed' })
  expect(textOf(result.outputFile ?? '')).toMatch(/^later\n/)
})
