// The ends of jobs, told once, or left for later.
import { takeEnds } from '../../../../lib/commands/jobs/watch/untold-ends.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { stopAll } from '../job-files.js'
import { id, jobWith } from '../readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const noting = () => {
  const seen: string[] = []
  const take = (job: string) => seen.push(`taken ${job}`) > 0
  return { seen, take, giveBack: (job: string) => void seen.push(`given back ${job}`) }
}

test('an end that is told is taken', async () => {
  const { store } = jobWith({ output: 'out\n', exit: {} })
  const untold = noting()

  expect(await takeEnds(store.directory, 'talk', [id], true, untold)).toEqual([
    expect.stringMatching(/^\[job bash_aaaaaa ended: .*last lines: out]$/),
  ])
  expect(untold.seen).toEqual([`taken ${id}`])
})

test('one that cannot be told is left for later', async () => {
  const { store } = jobWith({ output: 'out\n', exit: {} })
  const untold = noting()

  expect(await takeEnds(store.directory, 'talk', [id], 5 as never, untold)).toEqual([])
  expect(untold.seen).toEqual([`taken ${id}`, `given back ${id}`])
})
