import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { killPrograms, startBashward } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

describe('a signal to bashward run', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s kills the command and its daemons, then it exits with %d', async (signal, status) => {
    const marker = uniqueSleep()
    const program = startBashward(['run', `echo partial; setsid -f sleep ${marker}; sleep ${marker}`])
    await waitForSleep(marker, 2)
    program.kill(signal)
    const exit = await program.exited()

    expect(processesWith(marker)).toEqual([])
    expect(exit).toEqual({
      code: status,
      signal: null,
      stdout: 'partial\n',
      stderr: '[command cancelled]\n',
    })
  })

  test('with --json the result is printed all the same', async () => {
    const marker = uniqueSleep()
    const program = startBashward(['run', '--json', `echo partial; sleep ${marker}`])
    await waitForSleep(marker)
    program.kill('SIGINT')
    const { code, stdout } = await program.exited()

    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', output: 'partial\n' })
  })

  test('a second one does not wait for a command that ignores SIGTERM, and leaves nothing behind', async () => {
    const marker = uniqueSleep()
    const program = startBashward(['run', `trap '' TERM; setsid -f sleep ${marker}; sleep ${marker}`])
    await waitForSleep(marker, 2)
    // Two signals of a kind may arrive as one, so the test sends it until the program is gone.
    await waitFor(
      () => {
        program.kill('SIGINT')
        return program.process.exitCode !== null
      },
      { what: 'the program to end' },
    )

    expect(await program.exited()).toMatchObject({ code: 130, stderr: '' })
    await waitUntilGone(marker)
  })
})
