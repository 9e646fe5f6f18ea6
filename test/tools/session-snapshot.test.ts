// A snapshot of a session that tools have used, in the tools of a later process.
import { randomBytes } from 'node:crypto'
import { BashSession, createBashSuite, createBashTool } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

test('what the bash tool has left is there for the suite, after a call that was refused', async () => {
  const workingDir = tempDir()
  const key = randomBytes(32)
  const session = new BashSession({ workingDir })
  const bash = createBashTool()
  await bash.execute({ command: 'mkdir d; cd d; greet() { echo "hello $1"; }' }, { workingDir, session })
  const refused = await bash.execute({ command: 'vim' }, { workingDir, session })
  const { data, sequence } = await session.snapshot({ key })
  const restored = await BashSession.restore(data, { key })
  const suite = createBashSuite()
  const result = await suite.bash.execute({ command: 'greet world; pwd' }, { workingDir, session: restored })

  expect([refused.status, sequence]).toEqual(['rejected', 2])
  expect(result.output).toBe(`hello world\n${workingDir}/d\n`)
})

test('a snapshot that is asked for once a call has begun has what the call leaves', async () => {
  const workingDir = tempDir()
  const key = randomBytes(32)
  const session = new BashSession({ workingDir })
  const call = createBashTool().execute({ command: 'mkdir d; cd d' }, { workingDir, session })
  const { data } = await session.snapshot({ key })
  await call

  expect((await BashSession.restore(data, { key })).workingDir).toBe(`${workingDir}/d`)
})
