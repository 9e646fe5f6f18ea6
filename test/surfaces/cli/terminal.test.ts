// On a terminal: a real one, made by script(1). It turns \n into \r\n.
import { execFileSync } from 'node:child_process'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { hasScript, killPrograms, type ProgramOptions, startOnTerminal } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
})

const onTerminal = async (words: string, options?: ProgramOptions) => {
  const { code, stdout } = await startOnTerminal(words, options).exited()
  return { code, screen: stdout.replaceAll('\r\n', '\n') }
}

const seq = (count: number): string => execFileSync('seq', [String(count)], { encoding: 'utf8' })

const testOnTerminal = (name: string, body: () => Promise<void>) => {
  test(name, async () => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    await body()
  })
}

describe('bashward run on a terminal', () => {
  testOnTerminal('shows output while the command still runs', async () => {
    const marker = uniqueSleep()
    const program = startOnTerminal(`run 'echo first; sleep ${marker}'`)

    await waitFor(() => program.stdout().includes('first\r\n'), { what: 'the first line' })
    await waitForSleep(marker)
  })

  testOnTerminal('shows what comes slowly enough exactly once and completely', async () => {
    const { code, screen } = await onTerminal(`run 'for i in $(seq 50); do echo $i; sleep 0.02; done'`)
    expect({ code, screen }).toEqual({ code: 0, screen: seq(50) })
  })

  testOnTerminal('shows all of a burst of 108 KiB', async () => {
    expect((await onTerminal(`run 'seq 20000'`)).screen).toBe(seq(20_000))
  })

  testOnTerminal('marks what it skips of a flood, and shows its end', async () => {
    const { screen } = await onTerminal(`run 'seq 400000'`)

    expect(screen).toMatch(/^1\n2\n3\n/)
    expect(screen).toMatch(/\[\.\.\. [\d.]+MB skipped \.\.\.\]/)
    expect(screen).toMatch(/\n399999\n400000\n$/)
  })

  testOnTerminal('leaves progress bars to the terminal', async () => {
    const { screen } = await onTerminal(`run 'printf "1%%\\r2%%\\r3%%\\n"'`)
    expect(screen).toBe('1%\r2%\r3%\n')
  })

  testOnTerminal('begins the status on a line of its own, in red', async () => {
    const { code, screen } = await onTerminal(`run 'printf unfinished; exit 3'`)

    expect(code).toBe(3)
    expect(screen).toBe('unfinished\n\x1b[0;31m[command failed: exit code 3]\x1b[0m\n')
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('has no colour with %s', async (_, env) => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    const { screen } = await onTerminal(`run 'echo finished; exit 3'`, { env })

    expect(screen).toBe('finished\n[command failed: exit code 3]\n')
  })

  testOnTerminal('Ctrl-C kills the command and its daemons', async () => {
    const marker = uniqueSleep()
    const program = startOnTerminal(`run 'echo partial; setsid -f sleep ${marker}; sleep ${marker}'`)
    await waitForSleep(marker, 2)
    await waitFor(() => program.stdout().includes('partial'), { what: 'the output' })
    program.process.stdin?.write('\x03')
    const { code, stdout } = await program.exited()

    expect(code).toBe(130)
    expect(stdout).toBe('partial\r\n^C\r\n\x1b[0;31m[command cancelled]\x1b[0m\r\n')
    await waitUntilGone(marker)
  })

  testOnTerminal('a terminal that is closed takes the command with it', async () => {
    const marker = uniqueSleep()
    const program = startOnTerminal(`run 'setsid -f sleep ${marker}; sleep ${marker}'`)
    await waitForSleep(marker, 2)
    program.kill('SIGKILL')

    await waitUntilGone(marker)
  })
})
