// There are no terminals here, and whoever asks for one is told so by name.
import { createBashSuite, run } from '../../../../lib/index.js'
import { tempStore } from '../../../support/jobs.js'

const { BASHWARD_ENGINE: before } = process.env
process.env.BASHWARD_ENGINE = 'portable'

afterAll(() => {
  if (before === undefined) delete process.env.BASHWARD_ENGINE
  else process.env.BASHWARD_ENGINE = before
})

test('tty is refused', async () => {
  await expect(run('true', { cwd: '/', tty: true })).rejects.toMatchObject({
    code: 'ERR_UNSUPPORTED_PLATFORM',
    message: 'tty: the portable engine has no terminals',
  })
})

test('and by a suite', async () => {
  const suite = createBashSuite({ tty: true, jobs: tempStore() })
  const result = await suite.bash.execute({ command: 'true', tty: true }, { workingDir: '/' })

  expect(suite.bash.toText(result)).toBe('[system error: tty: the portable engine has no terminals]')
  expect(result.error?.code).toBe('ERR_UNSUPPORTED_PLATFORM')
})
