// `bashward run 'pkill -f WORD'` does not find itself by the words of its own command line.
import { randomBytes } from 'node:crypto'
import { bashward, killPrograms } from './program.js'

afterEach(killPrograms)

test.each([[['run']], [['run', '--profile', 'exec']]])(
  'the program of %j is not found by them',
  async (args) => {
    const word = `bashward-${randomBytes(8).toString('hex')}`

    expect(await bashward([...args, `pgrep -af ${word}`])).toMatchObject({ code: 1, stdout: '' })
  },
)
