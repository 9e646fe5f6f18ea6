// When output has colours: with and without a terminal, which script(1) makes.
import { cannotTest } from '../../support/must-work.js'
import { bashward } from './in-process.js'
import { hasScript, killPrograms, startOnTerminal } from './program.js'

afterEach(killPrograms)

const screenOf = async (words: string, env: Record<string, string> = {}): Promise<string> => {
  const { stdout } = await startOnTerminal(words, { env }).exited()
  return stdout.replaceAll('\r\n', '\n')
}

const testOnTerminal = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    await body()
  })

const escapeSequence = '\x1b['

describe('on a terminal', () => {
  testOnTerminal('a wrong command line is red, and what to do next is dim', async () => {
    expect(await screenOf('rnu')).toBe(
      "\x1b[0;31mbashward: unknown command 'rnu': did you mean 'run'?\x1b[0m\n" +
        "\x1b[0;2mTry 'bashward --help'.\x1b[0m\n",
    )
  })

  testOnTerminal('notes beside a status are yellow', async () => {
    expect(await screenOf("run 'sleep 300 & exit 3'")).toMatch(
      // biome-ignore format: the lines of the screen
      /^\x1b\[0;31m\[command failed: exit code 3\]\x1b\[0m\n\x1b\[0;33m\[still running as job [^\n]*\]\x1b\[0m\n$/,
    )
  })

  testOnTerminal('a job says how it is read and stopped, to a person', async () => {
    expect(await screenOf('run --mode background true')).toMatch(
      // biome-ignore format: the lines of the screen
      /^Background job (bash_\w+)\n\x1b\[0;2mTo see what it does: {2}bashward jobs output \1\nTo stop it: {11}bashward jobs kill \1\x1b\[0m\n$/,
    )
  })

  testOnTerminal('with a terminal, how it is attached to', async () => {
    expect(await screenOf("run --tty --mode background 'read x'")).toMatch(
      /^Background job (bash_\w+)\n.*bashward jobs attach \1\n.*bashward jobs kill \1/,
    )
  })

  testOnTerminal('a script that reads it on a terminal gets the tags, and the person the hint', async () => {
    // The hint goes to the terminal at once, and the tags by way of cat: either may come first.
    const screen = await screenOf('run --mode background true | cat')
    expect(screen).toMatch(/<pid>\d+<\/pid>\n<output_file>.*<\/output_file>\n<reminder>.*<\/reminder>\n/)
    expect(screen).toMatch(/Try 'bashward jobs output bash_\w+'/)
  })

  testOnTerminal('headings of a help are bold', async () => {
    expect(await screenOf('run --help')).toMatch(/^\x1b\[0;1mUsage\x1b\[0m: bashward run /)
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('there are none with %s', async (_, env) => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    for (const words of ['rnu', 'doctor', 'jobs', 'run --help', "check 'git add .'"]) {
      expect(await screenOf(words, env)).not.toContain(escapeSequence)
    }
  })

  testOnTerminal('an empty NO_COLOR says nothing', async () => {
    expect(await screenOf('rnu', { NO_COLOR: '' })).toContain(escapeSequence)
  })

  testOnTerminal('JSON has none', async () => {
    expect(await screenOf('doctor --json')).not.toContain(escapeSequence)
  })
})

describe('without a terminal', () => {
  const force = { env: { FORCE_COLOR: '1' } }

  test('there are none', async () => {
    for (const words of [['rnu'], ['doctor'], ['jobs'], ['run', '--help']]) {
      const { stdout, stderr } = await bashward(words, { env: { COLORTERM: 'truecolor' } })
      expect(stdout + stderr).not.toContain(escapeSequence)
    }
  })

  test('FORCE_COLOR asks for them', async () => {
    expect((await bashward(['doctor'], force)).stdout).toContain('\x1b[0;2mPROTECTION\x1b[0m')
    expect((await bashward(['rnu'], force)).stderr).toMatch(/^\x1b\[0;31mbashward: /)
  })

  test.each([['0'], ['']])('FORCE_COLOR=%s does not', async (value) => {
    expect((await bashward(['doctor'], { env: { FORCE_COLOR: value } })).stdout).not.toContain(escapeSequence)
  })

  test('what programs read has none, whatever FORCE_COLOR says', async () => {
    expect(await bashward(['run', 'exit 3'], force)).toMatchObject({
      stdout: '',
      stderr: '[command failed: exit code 3]\n',
    })
    expect((await bashward(['check', 'git add .'], force)).stdout).toMatch(/^\[command rejected: [^\x1b]*\n$/)
    expect((await bashward(['doctor', '--json'], force)).stdout).not.toContain(escapeSequence)
  })
})
