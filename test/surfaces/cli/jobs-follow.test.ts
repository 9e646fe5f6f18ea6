// bashward jobs output --follow: what a job prints as it prints it, until it ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward, killPrograms, runJob, seq, startBashward, startJob, summary } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

const follow = (id: string, ...options: string[]) =>
  startBashward(['jobs', 'output', '--follow', id, ...options])

/** A command that goes on when a file is there. */
const gate = () => {
  const path = join(tempDir(), 'open')
  return { wait: `until [ -e ${path} ]; do sleep .02; done`, open: () => writeFileSync(path, '') }
}

test('prints what comes, each byte once, and how the job has ended', async () => {
  const { wait, open } = gate()
  const id = await startJob(`echo one; printf zw; ${wait}; echo ölf; seq 3; exit 7`)
  const program = follow(id)
  await waitFor(() => program.stdout() === 'one\nzw', { what: 'the beginning', deadlineMs: 20_000 })
  open()

  expect(await program.exited()).toEqual({
    code: 0,
    signal: null,
    stdout: 'one\nzwölf\n1\n2\n3\n',
    stderr: '[failed: exit code 7]\n',
  })
})

test('of a job that has ended prints all', async () => {
  const id = await runJob('seq 1000000')
  const { stdout, stderr } = await follow(id).exited()

  expect(summary(stdout)).toEqual(summary(seq(1_000_000)))
  expect(stderr).toBe('[completed]\n')
})

test('with --filter prints each line once, when it is complete', async () => {
  const { wait, open } = gate()
  const id = await startJob(`echo error 1; echo fine; printf 'error '; ${wait}; echo 2; printf 'error 3'`)
  const program = follow(id, '--filter', 'error')
  await waitFor(() => program.stdout() === 'error 1\n', { what: 'the first line', deadlineMs: 20_000 })
  open()

  expect(await program.exited()).toMatchObject({ stdout: 'error 1\nerror 2\nerror 3' })
})

test('with --json prints one document when the job has ended', async () => {
  const id = await startJob('echo one; sleep .3; echo two')
  const { code, stdout } = await bashward(['jobs', 'output', id, '-f', '--json'])

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', output: 'one\ntwo\n' })
})

test('a reader that has seen enough ends it', async () => {
  const id = await startJob('while :; do echo line; sleep .05; done')
  const program = follow(id)
  await waitFor(() => program.stdout().includes('line\n'), { what: 'a line', deadlineMs: 20_000 })
  program.process.stdout?.destroy()

  expect(await program.exited()).toMatchObject({ code: 0 })
})
