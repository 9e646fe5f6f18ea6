// Row 4: whatever left the process group or the session dies at the timeout too.
import { run } from '../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'

afterEach(killLeftovers)

/** Ways out of the process group, the session, or the family. `{}` stands for the marker. */
const escapes: [string, string][] = [
  ['setsid -f', 'setsid -f sleep {}; sleep {}'],
  ['a double fork', '(sleep {} & sleep {} &) ; sleep {}'],
  ['nohup', 'nohup sleep {} >/dev/null 2>&1 & sleep {}'],
  ['a job of its own process group', 'set -m; sleep {} & sleep {}'],
  ['a chain of sessions', "setsid bash -c 'setsid -f sleep {}; setsid -f setsid -f sleep {}'; sleep {}"],
  ['disown, with a trap', 'setsid bash -c \'trap "" TERM HUP INT; sleep {}; sleep {}\' & disown; sleep {}'],
]

describe('row 4: a daemon that the command started', () => {
  test.each(escapes)('%s: nothing is left after the timeout', async (_, template) => {
    const marker = uniqueSleep()
    const command = template.replaceAll('{}', marker)
    const result = await run(command, { cwd: '/', timeout: 1000, termGraceMs: 200 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })

  test('nothing is left after a cancel', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const pending = run(`setsid -f sleep ${marker}; sleep ${marker}`, {
      cwd: '/',
      cancelSignal: controller.signal,
    })
    await waitForSleep(marker, 2)
    controller.abort()

    expect(await pending).toMatchObject({ status: 'cancelled', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })

  test('thirty daemons are gone after the timeout', async () => {
    const marker = uniqueSleep()
    const command = `for i in $(seq 30); do setsid -f sleep ${marker}; done; sleep ${marker}`
    const result = await run(command, { cwd: '/', timeout: 1000 })

    expect(result).toMatchObject({ status: 'timed_out', survivors: [] })
    expect(processesWith(marker)).toEqual([])
  })
})
