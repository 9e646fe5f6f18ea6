// The exit status of an ACP terminal comes only with all that its command has printed.

import { createBashTool } from '../../../lib/index.js'
import { readTerminal } from '../../../lib/surfaces/adapters/acp-output.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { LateStore, lateCommand } from '../../support/late-store.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const repetitions = Number(process.env.BASHWARD_REPETITIONS ?? 3)

async function start(command: string) {
  const store = tempStore()
  const tool = createBashTool({ jobs: store })
  const { jobId = '' } = await tool.execute({ command, mode: 'background' }, { workingDir: '/' })
  return { store, id: jobId }
}

test('a command that ends after its size was looked at is told with its last lines', async () => {
  const { command, fifo } = lateCommand(tempDir(), 'seq 100', 'seq 101 20000')
  const { store, id } = await start(command)
  await waitFor(async () => (await store.get(id)).outputBytes === 292, { what: 'the first lines' })
  const { output, exitStatus } = await readTerminal(new LateStore(store.directory, fifo), id, 1000)

  expect(exitStatus).toEqual({ exitCode: 0, signal: null })
  expect(output).toMatch(/\n19999\n20000\n$/)
})

test(
  'a command that ends while it is asked for its output is told with its last lines',
  async () => {
    for (let round = 0; round < repetitions; round += 1) {
      const last = 20_000 + 500 * (round % 20)
      const { store, id } = await start(`seq ${last}`)
      const told = await waitFor(
        async () => {
          const answer = await readTerminal(store, id, 4000)
          return 'exitStatus' in answer ? answer : undefined
        },
        { what: 'its end', intervalMs: 0 },
      )
      expect(told.output.endsWith(`\n${last}\n`)).toBe(true)
    }
  },
  30_000 + 2_000 * repetitions,
)
