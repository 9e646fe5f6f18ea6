// What is typed into a shell is checked as a command, in however many pieces it comes.
import { spawnSync } from 'node:child_process'
import { type BashInputResult, createBashSuite } from '../../../lib/index.js'
import { endJobs } from '../../support/jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ttyCalls } from './tty-calls.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const shell = 'PS1="$ " exec bash --norc --noprofile -i'
const isRefused = ({ status, rejection }: BashInputResult) => [status, rejection?.rule]
const dangerous = ['rejected', 'rm-dangerous']

test('a command that a rule refuses is not typed', async () => {
  const { start, type, read } = ttyCalls()
  const { id } = await start(shell)
  const { result, text } = await type(id, 'rm -rf /')

  expect(isRefused(result)).toEqual(dangerous)
  expect(text).toMatch(/^\[input rejected: rm-dangerous\] `rm -rf \/` would delete/)
  expect((await read(id)).result.output).not.toContain('rm')
})

test('others are', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start(shell)

  expect((await type(id, 'echo $((6 * 7))')).text).toBe(
    'echo $((6 * 7))\n42\n$ \n[waits for a line: "bash", at "$ "]',
  )
})

test('pieces of a line are checked together', async () => {
  const { start, type, press } = ttyCalls()
  const { id } = await start(shell)
  await type(id, 'rm -r', { submit: false })
  expect((await press(id, 'f', 'Space', 'x', 'BSpace')).result.status).toBe('running')
  expect(isRefused((await press(id, '/', 'Enter')).result)).toEqual(dangerous)
  expect(isRefused((await press(id, '/')).result)).toEqual(dangerous)
  expect(isRefused((await type(id, '/')).result)).toEqual(dangerous)
  expect(isRefused((await type(id, '/', { submit: false })).result)).toEqual(dangerous)
  await press(id, 'C-d')
  expect(isRefused((await type(id, '/')).result)).toEqual(dangerous)

  await press(id, 'C-c')
  expect((await type(id, 'echo fine')).text).toContain('\nfine\n')
})

test.each([
  ['a backslash', ['rm -rf \\', '/']],
  ['an open quote', ['echo "', '"; rm -rf /']],
  ['an open compound', ['if true; then', 'rm -rf /', 'fi']],
])('lines of one command are checked together: %s', async (_, lines) => {
  const { start, type } = ttyCalls()
  const { id } = await start(shell)
  const refused: unknown[] = []
  for (const line of lines) {
    const { result } = await type(id, line)
    if (result.status === 'rejected') refused.push(isRefused(result))
  }

  expect(refused).toContainEqual(dangerous)
})

test('several lines are one script', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start(shell)

  expect(isRefused((await type(id, 'echo one\nrm -rf \\\n/\necho two')).result)).toEqual(dangerous)
})

test('on a full screen, too, a line whose beginning is forgotten is not known, and not run', async () => {
  const { start, type } = ttyCalls()
  const screen = `printf '\\033[?1049h'; exec script -qec 'bash --norc --noediting -i' /dev/null`
  const { id } = await start(screen)
  const piece = { submit: false, wait_ms: 100 }
  await type(id, `echo "${'x'.repeat(40_000)}`, piece)
  // Without its beginning it opens the quotes that it closes.
  const { result } = await type(id, `${'x'.repeat(40_000)}"; rm -rf /`, piece)

  expect(isRefused(result)).toEqual(['rejected', 'unknown-line'])
})

test('what keys have brought into the line is not known, and not run', async () => {
  const { start, type, press } = ttyCalls()
  const { id } = await start(shell)
  await type(id, 'true')
  await press(id, 'Up')
  const { result } = await press(id, 'Enter')

  expect(isRefused(result)).toEqual(['rejected', 'unknown-line'])
  await press(id, 'C-c')
  expect((await type(id, 'echo fine')).text).toContain('\nfine\n')
})

describe('a line is not run in parts that are each harmless', () => {
  type Step = string | string[]
  const unknown = ['rejected', 'unknown-line']
  /** What was said to the last one. A string is typed without Enter; with a line feed at its end, with it. */
  const afterAll = async (steps: readonly Step[]) => {
    const { start, type, press } = ttyCalls()
    const { id } = await start(`EDITOR=true ${shell.replace('exec ', '')}`)
    let said: unknown
    for (const step of steps) {
      const { result } =
        typeof step !== 'string'
          ? await press(id, ...step)
          : step.endsWith('\n')
            ? await type(id, step.slice(0, -1))
            : await type(id, step, { submit: false, wait_ms: 0 })
      said = isRefused(result)
    }
    return said
  }

  test.each<[string, Step[], unknown]>([
    ['C-z keeps it', ['echo a', ['C-z'], ['Enter']], unknown],
    ['C-\\ keeps it', ['echo a', ['C-\\'], ['Enter']], unknown],
    ['C-d keeps it', ['rm -rf', ['C-d'], ' /\n'], dangerous],
    ['C-c keeps it in a shell that ignores it', ["trap '' INT\n", 'rm -rf', ['C-c'], ' /\n'], dangerous],
    ['C-c keeps it where it is no interrupt', ['stty -isig\n', 'rm -rf', ['C-c'], ' /\n'], dangerous],
    ['C-c keeps what is not known as well', ["trap '' INT\n", 'rm -r', ['End', 'C-c'], 'f /\n'], unknown],
    [
      'C-c keeps what is brought back as well',
      ["trap '' INT\n", 'rm -r', ['C-u', 'C-y', 'C-c'], 'f /\n'],
      unknown,
    ],
    [
      'C-c drops it where nothing has changed that',
      ["trap 'echo bye' EXIT; stty -a\n", 'rm -r', ['End', 'C-c'], 'true\n'],
      ['running', undefined],
    ],
    ['C-u keeps what is behind the cursor', ['/', ['Home', 'C-u'], 'rm -rf \n'], unknown],
    ['M-Enter runs it in vi mode', ['set -o vi\n', 'rm -rf', [' ', '/', 'M-Enter']], dangerous],
    ['C-x C-e runs it', ['/', ['Home'], ['C-x', 'C-e']], unknown],
    ['v runs it in vi mode', ['set -o vi\n', '/', ['Escape'], ['v']], unknown],
    ['on the alternate screen', ["printf '\\e[?1049h'\n", '/', ['Home'], ['Enter']], unknown],
    ['from the history', ['echo -rf /\n', '^echo^rm\n'], unknown],
    ['with arguments of the history', ['echo -rf /\n', 'rm !*\n'], unknown],
  ])('%s', async (_, steps, expected) => {
    expect(await afterAll(steps)).toEqual(expected)
  })

  test('typed ahead, while something else runs', async () => {
    const { start, type, suite } = ttyCalls()
    const { id } = await start(shell)
    const keys = (...names: string[]) =>
      suite.bashInput.execute({ bash_id: id, keys: names, wait_ms: 0 }, { workingDir: '/' })
    await type(id, 'sleep 60', { wait_ms: 0 })
    await type(id, '/', { submit: false, wait_ms: 0 })
    await keys('Left')
    expect(isRefused(await keys('Enter'))).toEqual(unknown)
  })
})

test('what another program has read stands before no command', async () => {
  const { start, type, press } = ttyCalls()
  const { id } = await start(shell)
  await type(id, 'read -rsn 1 key')
  await press(id, 'q')

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})

test('what could not be typed stands before no command', async () => {
  const { start, type, press } = ttyCalls()
  const { id } = await start('PS1="$ " bash --norc --noprofile --noediting -i')
  const { result } = await type(id, `echo ${'x'.repeat(5_000)}`, { submit: false })
  expect(result.error?.message).toContain('a line over 4095 bytes')

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(['rejected', 'unknown-line'])
  await press(id, 'C-c')
  expect((await type(id, 'echo fine')).text).toContain('\nfine\n')
})

test('a copy of a shell counts by its name', async () => {
  const { start, type } = ttyCalls({}, { workingDir: tempDir() })
  const { id } = await start('cp "$(command -v bash)" ./zsh && ./zsh --norc; true')

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})

test('a shell that a program has started counts, by whatever name', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start('read -p "go? " x; (exec -a python3 bash --norc --noprofile); echo over')
  await type(id, 'y')

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})

test('once a shell, always one', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start('bash --norc --noprofile; read -p "name: " x')
  await type(id, 'true')
  const { last } = await type(id, 'exit')
  expect(last).toBe('[waits for a line: "bash", at "name: "]')

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})

test('what reads lines for itself gets any', async () => {
  if (spawnSync('python3', ['--version']).error !== undefined) return cannotTest('there is no python3')
  const { start, type } = ttyCalls()
  const { id } = await start('python3 -q')

  expect((await type(id, '"rm -rf /"')).text).toContain("'rm -rf /'")
})

test('relative paths are those of the shell as it is now', async () => {
  const { start, type } = ttyCalls({}, { workingDir: tempDir() })
  const { id } = await start(shell)
  await type(id, 'cd /')

  expect(isRefused((await type(id, 'rm -rf ./')).result)).toEqual(dangerous)
})

test('without safety rules nothing is checked', async () => {
  const { start, type } = ttyCalls({ safety: false })
  const { id } = await start(
    'trap "echo no" EXIT; rm() { echo "would remove $*"; }; export -f rm; bash --norc --noprofile',
  )

  expect((await type(id, 'rm -rf /')).text).toContain('would remove -rf /')
})

test('another suite goes on where one has left off', async () => {
  const first = ttyCalls()
  const { id } = await first.start(shell)
  await first.type(id, 'rm -rf', { submit: false })
  const second = ttyCalls({ jobs: first.store })

  expect(isRefused((await second.type(id, ' /')).result)).toEqual(dangerous)
  expect((await second.press(id, 'C-c')).text).toContain('^C')
})

test('a conversation in a sandbox types into no command outside it', async () => {
  const outside = ttyCalls()
  const { id } = await outside.start(shell)
  const suite = createBashSuite({ jobs: outside.store, tty: true })
  const result = await suite.bashInput.execute(
    { bash_id: id, text: 'id' },
    { workingDir: '/', sandbox: 'restricted' },
  )

  expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_TERMINAL' } })
})

test('a script that asks is no shell', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start('read -p "What? " x; echo "got $x"')

  expect((await type(id, 'rm -rf /')).text).toContain('got rm -rf /')
})

test('calls at the same time take turns', async () => {
  const { start, type } = ttyCalls()
  const { id } = await start(shell)
  const [, second] = await Promise.all([
    type(id, 'rm -rf', { submit: false, wait_ms: 0 }),
    type(id, ' /', { wait_ms: 0 }),
  ])

  expect(isRefused(second.result)).toEqual(dangerous)
})

test.each([
  'bash -',
  'bash --norc -o posix',
  'bash --norc -s',
  'bash /dev/stdin',
  'ln -s "$(command -v bash)" ./vim && ./vim --norc',
])('%s is a shell', async (command) => {
  const { start, type } = ttyCalls({}, { workingDir: tempDir() })
  const { id } = await start(`${command}; true`)

  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})

testRestricted('in a sandbox, too', async () => {
  const { start, type, read } = ttyCalls({}, { sandbox: 'restricted' })
  const { id } = await start(shell)

  await type(id, 'touch /x')
  const { result } = await read(id, { until: 'touch: ', wait_ms: 30_000 })
  expect(result.matched).toMatch(/^touch: .*\/x/)
  expect(isRefused((await type(id, 'rm -rf /')).result)).toEqual(dangerous)
})
