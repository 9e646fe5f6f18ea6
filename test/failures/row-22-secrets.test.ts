// Row 22: a secret in the host's environment does not reach a command, and after protectHost() no
// ancestor shows it either.
import type { BashResult } from '../../lib/commands/run/result.js'
import { canBecomeOrdinaryUser } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const KEY = 'FAKE_API_KEY'
const SECRET = 'not-a-key-but-nobody-may-see-it'

/** Prints each ancestor's pid, and whatever its environment shows. */
const WALK = `pid=$PPID
while [ "$pid" -gt 0 ]; do
  echo "ancestor $pid"
  tr '\\0' '\\n' <"/proc/$pid/environ"
  pid=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")
done 2>/dev/null`

interface Outcome {
  results: BashResult[]
  keys: string[]
  pid: number
}

const runWithSecret = (
  command: string,
  options: { protect: boolean; ordinaryUser: boolean },
): Promise<Outcome> =>
  runHost<Outcome>('run-commands', {
    env: { ...process.env, [KEY]: SECRET },
    argument: { commands: [{ command }], protect: options.protect, keys: [KEY] },
    ordinaryUser: options.ordinaryUser,
  })

describe('row 22: a secret of the host', () => {
  test('`env` does not show it, and the result names it', async () => {
    const { results } = await runWithSecret('env; declare -p', { protect: false, ordinaryUser: false })

    expect(results[0]).toMatchObject({ status: 'completed' })
    expect(results[0]?.output).not.toContain(KEY)
    expect(results[0]?.output).not.toContain(SECRET)
    expect(results[0]?.removedEnv).toContain(KEY)
    expect(JSON.stringify(results)).not.toContain(SECRET)
  })

  test('the supervisor, which is the parent of bash, has an empty environment', async () => {
    const { results } = await runWithSecret('wc -c <"/proc/$PPID/environ"', {
      protect: false,
      ordinaryUser: false,
    })

    expect(results[0]).toMatchObject({ status: 'completed', output: '0\n' })
  })

  describe('after protectHost()', () => {
    const expectHidden = async (ordinaryUser: boolean): Promise<void> => {
      const { results, keys, pid } = await runWithSecret(WALK, { protect: true, ordinaryUser })
      const output = results[0]?.output ?? ''

      expect(output).toMatch(new RegExp(`^ancestor ${pid}$`, 'm'))
      expect(output).not.toContain(KEY)
      expect(output).not.toContain(SECRET)
      // The host itself goes on using it.
      expect(keys).toEqual([KEY])
    }

    test('no ancestor shows it, as the user who runs the tests', () => expectHidden(false))

    test('no ancestor shows it, as an ordinary user', async () => {
      if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot change the user here')
      await expectHidden(true)
    })
  })
})
