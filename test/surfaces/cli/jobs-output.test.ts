// bashward jobs output: what a job has printed, all of it or a part.
import { writeJob } from '../../commands/jobs/job-files.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, runJob, startJob } from './in-process.js'
import {
  jobsDirectory,
  jobsOfTest,
  killPrograms,
  quotedBashward,
  startBashward,
  startProgram,
} from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

const jobs = (...words: string[]) => bashward(['jobs', ...words])

describe('bashward jobs output', () => {
  test('prints the text and nothing else on stdout', async () => {
    const id = await runJob('printf "one\\ntwo"; exit 7')
    expect(await jobs('output', id)).toEqual({
      code: 0,
      signal: null,
      stdout: 'one\ntwo',
      stderr: '[failed: exit code 7]\n',
    })
  })

  test('prints all of a long output', async () => {
    const id = await runJob('yes zwölf | head -2000000')
    const script = `${quotedBashward} jobs output ${id} | md5sum; yes zwölf | head -2000000 | md5sum`
    const { stdout } = await startProgram('bash', ['--norc', '-c', script]).exited()
    const [got, expected] = stdout.split('\n')

    expect(got).toBe(expected)
  })

  test('of a running job prints what there is, each line once', async () => {
    const marker = uniqueSleep()
    const id = await startJob(`echo one; printf two; exec sleep ${marker}`)
    await waitFor(async () => (await jobsOfTest().get(id)).outputBytes === 7, { what: 'the output' })

    expect(await jobs('output', id)).toMatchObject({ stdout: 'one\ntwo', stderr: '[running]\n' })
    expect(await jobs('output', id, '--filter', '^')).toMatchObject({ stdout: 'one\ntwo' })
  })

  test('--filter picks lines, in all of a long output', async () => {
    const id = await runJob('seq 1500000')
    const { stdout } = await startBashward(['jobs', 'output', id, '--filter', '^(1|75)0*$']).exited()

    expect(stdout).toBe(
      [
        '1',
        '10',
        '75',
        '100',
        '750',
        '1000',
        '7500',
        '10000',
        '75000',
        '100000',
        '750000',
        '1000000',
        '',
      ].join('\n'),
    )
  })

  test('--offset begins later', async () => {
    const id = await runJob('echo one; echo two; echo three')
    expect(await jobs('output', id, '--offset', '4')).toMatchObject({ stdout: 'two\nthree\n' })
    expect(await jobs('output', id, '--offset', '4', '--filter', 'o')).toMatchObject({ stdout: 'two\n' })
    expect(await jobs('output', id, '--offset', '1000')).toMatchObject({ code: 0, stdout: '' })
  })

  test('--json prints the document of the store', async () => {
    const id = await runJob('seq 100000')
    const { stdout, stderr } = await jobs('output', id, '--json')

    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      exitCode: 0,
      truncated: false,
      output: expect.stringMatching(/^1\n2\n[\d\n]*\n100000\n$/),
      nextOffset: 588_895,
    })
  })

  test('says why a job is lost', async () => {
    writeJob(jobsDirectory(), 'bash_aaaaaa', { output: 'so far\n' })
    expect(await jobs('output', 'bash_aaaaaa')).toMatchObject({
      code: 0,
      stdout: 'so far\n',
      stderr: '[lost]\n[its supervisor has ended without recording how the job did]\n',
    })
  })

  test('a reader that has seen enough is no error', async () => {
    const id = await runJob('seq 2000000')
    const pipeline = `${quotedBashward} jobs output ${id} | head -1; echo "\${PIPESTATUS[0]}"`
    expect((await startProgram('bash', ['--norc', '-c', pipeline]).exited()).stdout).toBe('1\n0\n')
  })

  test('a filter that is no regular expression is refused', async () => {
    const id = await runJob('true')
    expect(await jobs('output', id, '--filter', '(')).toMatchObject({
      code: 125,
      stdout: '',
      stderr: expect.stringMatching(/^bashward: --filter /),
    })
  })
})
