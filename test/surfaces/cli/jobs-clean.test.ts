// bashward jobs list --running, and jobs clean.
import { readdirSync } from 'node:fs'
import type { Job } from '../../../lib/index.js'
import { writeJob } from '../../commands/jobs/job-files.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { bashward, startJob } from './in-process.js'
import { jobsDirectory, killPrograms } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

const jobs = (...words: string[]) => bashward(['jobs', ...words])
const dayMs = 24 * 60 * 60 * 1000

describe('bashward jobs list --running', () => {
  test('shows what runs, and nothing else', async () => {
    writeJob(jobsDirectory(), 'bash_aaaaaa', { exit: {} })
    const id = await startJob(`sleep ${uniqueSleep()}`)

    expect((await jobs('--running')).stdout).toMatch(new RegExp(`^ID .*\\n${id}  running .*\\n$`))
    const { stdout } = await jobs('list', '--running', '--json')
    expect((JSON.parse(stdout) as Job[]).map((job) => job.id)).toEqual([id])
  })

  test('says that nothing runs', async () => {
    writeJob(jobsDirectory(), 'bash_aaaaaa', { exit: {} })

    expect(await jobs('--running')).toMatchObject({ code: 0, stdout: 'No running background jobs.\n' })
  })
})

describe('bashward jobs clean', () => {
  const write = () => {
    const root = jobsDirectory()
    writeJob(root, 'bash_aaaaaa', { exit: { endedAt: Date.now() - 8 * dayMs } })
    writeJob(root, 'bash_bbbbbb', { exit: {} })
    return root
  }

  test('removes what is old', async () => {
    const root = write()

    expect(await jobs('clean')).toMatchObject({ code: 0, stdout: 'bash_aaaaaa removed\n', stderr: '' })
    expect(readdirSync(root)).toEqual(['bash_bbbbbb'])
    expect(await jobs('clean')).toMatchObject({ code: 0, stdout: 'Nothing to remove.\n' })
  })

  test('--all removes everything that has ended, and --json says what', async () => {
    const root = write()
    const id = await startJob(`sleep ${uniqueSleep()}`)
    const { code, stdout } = await jobs('clean', '--all', '--json')

    expect(code).toBe(0)
    const { removed } = JSON.parse(stdout) as { removed: string[] }
    expect(removed.sort()).toEqual(['bash_aaaaaa', 'bash_bbbbbb'])
    expect(readdirSync(root).filter((name) => name.startsWith('bash_'))).toEqual([id])
  })
})
