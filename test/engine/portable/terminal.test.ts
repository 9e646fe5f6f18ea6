// There are no terminals here, and whoever asks for one is told so by name.
import { run } from '../../../lib/index.js'

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
