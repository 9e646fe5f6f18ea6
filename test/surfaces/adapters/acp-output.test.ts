// What an ACP terminal shows of a job of which output is missing.
import { readTerminal } from '../../../lib/surfaces/adapters/acp-output.js'
import { stopAll } from '../../commands/jobs/job-files.js'
import { id, jobWith } from '../../commands/jobs/readable-job.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

test.each([
  ['could not be written', { lostBytes: 1_000_000 }],
  ['were dropped', { droppedBytes: 1_000_000 }],
])('the end of its file is shown where more bytes than that %s', async (_, missing) => {
  const printed = 'first\nlast\n'
  const { store } = jobWith({
    output: printed,
    exit: { outputBytes: 1_000_000 + printed.length, ...missing },
  })

  expect((await readTerminal(store, id, 100)).output).toContain(printed.trimEnd())
})
