// A host that is process 1, as in a container without an init: what commands leave becomes its children, and nobody
// else waits for those.
import { killHosts, runHost } from '../support/host.js'
import { pidNamespacePrefix } from '../support/pid-namespace.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

interface Outcome {
  pid: number
  statuses: string[]
  left: { pid: number; state: string; name: string }[]
  ownEnd: number
}

const runAsInit = async (commands: string[], times: number): Promise<Outcome | undefined> => {
  const prefix = pidNamespacePrefix('own')
  if (prefix === undefined) return undefined
  const argument = { commands, times, directory: tempDir(), deadlineMs: 15_000 }
  return await runHost<Outcome>('as-init', { argument, prefix })
}

test.each([
  ['daemons that have closed the output', 'setsid sleep 0.5 >/dev/null 2>&1 & echo started'],
  ['daemons of a shell that has ended', '(setsid sh -c "sleep 0.3; exit 3" >/dev/null 2>&1 &); true'],
  ['children that hold the output', 'sleep 0.5 & echo started'],
  ['children in the background', '(sleep 0.4 >/dev/null 2>&1 & sleep 0.6 >/dev/null 2>&1 &)'],
])('no zombie is left of %s', async (_, command) => {
  const outcome = await runAsInit([command, command, command], 5)
  if (outcome === undefined) return

  expect(outcome).toEqual({ pid: 1, statuses: ['completed'], left: [], ownEnd: 7 })
})

test('no zombie is left of the shell of a command that has killed its supervisor', async () => {
  const outcome = await runAsInit(['sleep 5 & kill -9 $PPID; sleep 5'], 5)
  if (outcome === undefined) return

  expect(outcome).toEqual({ pid: 1, statuses: ['error'], left: [], ownEnd: 7 })
})
