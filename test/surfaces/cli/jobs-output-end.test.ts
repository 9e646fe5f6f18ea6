// bashward jobs output: the end of a job is told only behind all that it has printed.
import { printOutput } from '../../../lib/surfaces/cli/jobs-output.js'
import { LateStore, lateCommand } from '../../support/late-store.js'
import { killLeftovers } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, startJob } from './in-process.js'
import { jobsOfTest, killPrograms } from './program.js'

afterEach(async () => {
  jest.restoreAllMocks()
  await killPrograms()
  killLeftovers()
})

const repetitions = Number(process.env.BASHWARD_REPETITIONS ?? 2)

/** What is printed to stdout and stderr, in this process. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = ''
  jest.spyOn(stream, 'write').mockImplementation((piece, onTaken) => {
    text += String(piece)
    if (typeof onTaken === 'function') (onTaken as () => void)()
    return true
  })
  return () => text
}

test.each([undefined, '0$'])(
  'a job that ends after its size was looked at is told with its last lines (filter: %s)',
  async (filter) => {
    const { command, fifo } = lateCommand(tempDir(), 'echo 0', 'seq 1000000')
    const id = await startJob(command)
    const store = jobsOfTest()
    await waitFor(async () => (await store.get(id)).outputBytes === 2, { what: 'the first line' })
    const late = new LateStore(store.directory, fifo)
    const [out, err] = [capture(process.stdout), capture(process.stderr)]
    const call = { action: 'output', id, filter, offset: 0, isFollowed: false, json: false } as const
    // Its first look is at the record, and no size.
    await printOutput(
      call as Parameters<typeof printOutput>[0],
      skippingOne(late, store),
      new AbortController().signal,
    )
    const [printed, told] = [out(), err()]
    jest.restoreAllMocks()

    expect(told).toBe('[completed]\n')
    expect(printed.endsWith(`\n${filter === undefined ? 999_999 : 999_990}\n1000000\n`)).toBe(true)
  },
)

/** The first wait() is that of another store. */
function skippingOne(store: LateStore, first: ReturnType<typeof jobsOfTest>): LateStore {
  const wait = store.wait.bind(store)
  let looks = 0
  store.wait = async (id, options) => {
    looks += 1
    return looks === 1 ? await first.wait(id, options) : await wait(id, options)
  }
  return store
}

test(
  'a job that ends while its output is printed is told as completed only behind its last line',
  async () => {
    for (let round = 0; round < repetitions; round += 1) {
      const last = 500_000 + 100_000 * (round % 10)
      const id = await startJob(`seq ${last}`)
      const { stdout, stderr } = await bashward(['jobs', 'output', id])
      if (stderr.includes('[completed]')) expect(stdout.endsWith(`\n${last}\n`)).toBe(true)
      await jobsOfTest().wait(id)
    }
  },
  30_000 + 5_000 * repetitions,
)
