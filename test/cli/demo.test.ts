// examples/demo.mjs, which is `npm run demo`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { isAlive } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { jobsOfTest, killPrograms, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

test('the demo shows every kind of result, and leaves no process, job or file', async () => {
  const demo = join(packageRoot, 'examples/demo.mjs')
  const TMPDIR = tempDir()
  const { code, stdout, stderr } = await startProgram(process.execPath, [demo], { env: { TMPDIR } }).exited()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const text of [
    '42 is the answer\n',
    '[command failed: exit code 3]\n',
    '[command timed out after 1s]\nstep 1 of 2 is done\n',
    '[output truncated in middle: got 2.6MB, max is 128.0KB]\n',
    '\n[command rejected: git-add-blind] ',
    '\n[still running as job bash_',
    ' The job is killed now.)\n',
    '\n<reminder>To stop: kill -9 -',
    '\nstep 3 of 3\n\n\n[background process failed: exit code 7]\n',
    '[command cancelled]\ndaemon ',
    ' is gone.)\n',
    'there is no DEMO_API_KEY\n',
  ]) {
    expect(stdout).toContain(text)
  }
  const left = [...stdout.matchAll(/(?:still running as job bash_\w+: |daemon |<pid>)(\d+)/g)].map(
    ([, pid]) => Number(pid),
  )
  expect(left).toHaveLength(3)
  expect(left.filter(isAlive)).toEqual([])
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(await jobsOfTest().list()).toEqual([])
})
