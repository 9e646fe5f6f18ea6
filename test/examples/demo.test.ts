// examples/demo.mjs, which is `npm run demo`.
import { readdirSync } from 'node:fs'
import { shimPrefix } from '../support/landlock-shim.js'
import { cannotTest } from '../support/must-work.js'
import { isAlive } from '../support/processes.js'
import { whyNotRestricted } from '../support/restricted.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { jobsOfTest, killPrograms } from '../surfaces/cli/program.js'
import { startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const texts = [
  '42 is the answer\n',
  '[command failed: exit code 3]\n',
  's  step 1 of 3\n',
  's  step 3 of 3\n',
  '[command timed out after 1s]\nstep 1 of 2 is done\n',
  '[output truncated in middle: got 2.6MB, max is 128.0KB]\n',
  '\n[command rejected: git-add-blind] ',
  '\n(There is no such file.)\n',
  '\n[still running as job bash_',
  ' The job is killed now.)\n',
  '\n<reminder>To stop: kill -9 -',
  '\nstep 3 of 3\n\n\n[background process failed: exit code 7]\n',
  '[command cancelled]\ndaemon ',
  ' is gone.)\n',
  'there is no DEMO_API_KEY\n',
]

testExample('the demo shows every kind of result, and leaves no process, job or file', async (options) => {
  const { code, stdout, stderr } = await startExample('demo.mjs', options).exited()

  expect({ code, stderr: stderr.replace(/^.*\bBASHWARD_NO_SANDBOX\b.*\n.*\n/, '') }).toEqual({
    code: 0,
    stderr: '',
  })
  for (const text of texts) expect(stdout).toContain(text)
  expect(stdout).not.toContain('\x1b')
  const left = [...stdout.matchAll(/(?:still running as job bash_\w+: |daemon |<pid>)(\d+)/g)].map(
    ([, pid]) => Number(pid),
  )
  expect(left).toHaveLength(3)
  expect(left.filter(isAlive)).toEqual([])
  expect(readdirSync(options.directory)).toEqual([])
  expect(await jobsOfTest().list()).toEqual([])
})

test('the demo shows that a write is denied in Restricted mode', async () => {
  const reason = await whyNotRestricted()
  if (reason !== undefined) return cannotTest(reason)
  const { stdout } = await startExample('demo.mjs').exited()

  expect(stdout).toMatch(
    /file: Permission denied\n\[sandbox: files are read-only in Restricted mode\]\n\n\(There is/,
  )
})

test('without Landlock the demo says why there is no Restricted mode', async () => {
  const prefix = shimPrefix('ENOSYS')
  if (!Array.isArray(prefix)) return cannotTest(prefix.obstacle)
  const { code, stdout } = await startExample('demo.mjs', { prefix }).exited()

  expect(code).toBe(0)
  expect(stdout).toMatch(/\n\[sandbox unavailable: .*Linux 5\.13.*\]\n\n\(There is no such file\.\)\n/)
})

test('a reader who has seen enough of the demo leaves no file behind', async () => {
  const directory = tempDir()
  const program = startExample('demo.mjs', { directory })
  program.process.stdout?.destroy()

  expect((await program.exited()).code).toBe(0)
  expect(readdirSync(directory)).toEqual([])
})
