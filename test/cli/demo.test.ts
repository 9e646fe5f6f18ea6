// examples/demo.mjs, which is `npm run demo`.
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { isAlive } from '../support/processes.js'
import { killPrograms, startProgram } from './program.js'

afterEach(killPrograms)

test('the demo shows every kind of result, and leaves no process', async () => {
  const demo = join(packageRoot, 'examples/demo.mjs')
  const { code, stdout, stderr } = await startProgram(process.execPath, [demo]).exited()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const text of [
    '42 is the answer\n',
    '[command failed: exit code 3]\n',
    '[command timed out after 1s]\nstep 1 of 2 is done\n',
    '[output truncated in middle: got 2.6MB, max is 128.0KB]\n',
    '[still running: ',
    '[command cancelled]\ndaemon ',
    ' is gone.)\n',
    'there is no DEMO_API_KEY\n',
  ]) {
    expect(stdout).toContain(text)
  }
  const left = [...stdout.matchAll(/(?:still running:|daemon) (\d+)/g)].map(([, pid]) => Number(pid))
  expect(left).toHaveLength(2)
  expect(left.filter(isAlive)).toEqual([])
})
