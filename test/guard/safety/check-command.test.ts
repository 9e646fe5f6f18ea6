import { type CheckOptions, checkCommand, safetyRules } from '../../../lib/index.js'
import { check, options } from './check.js'

describe('the verdict', () => {
  test('of an allowed command has nothing but that', () => {
    expect(checkCommand('ls', options)).toEqual({ allowed: true, rule: null, match: null, message: null })
  })

  test('of a refused command names the rule, the text and a safer command', () => {
    expect(checkCommand('cd x && git push --force origin main; ls', options)).toEqual({
      allowed: false,
      rule: 'git-push-force',
      match: { start: 8, end: 36, text: 'git push --force origin main' },
      message:
        '`git push --force origin main` overwrites the remote branch, with commits of others that are on it. Instead, ' +
        'push with `--force-with-lease`, which stops when somebody else has pushed.',
    })
  })

  test('of a variable that may be unset names it, and what stops the command then', async () => {
    expect(await check('make; rm -rf "$UNSET_1/"*')).toMatchObject({
      match: { text: 'rm -rf "$UNSET_1/"*' },
      message:
        '`rm -rf "$UNSET_1/"*` would delete everything in the root directory if UNSET_1 is empty, which nothing ' +
        'in the command rules out. Instead, write `${UNSET_1:?}`, which stops the command then.',
    })
  })

  test('of a mirror does not suggest a lease', async () => {
    expect((await check('git push --mirror backup')).message).toMatch(
      /^`git push --mirror backup` overwrites all branches .* Instead, push what you mean: `git push origin BRANCH`/,
    )
  })

  test('is about the first refused command', async () => {
    expect(await check('ls; git add .; git push -f')).toMatchObject({ match: { text: 'git add .' } })
  })

  test.each([
    ['sudo -u dev rm -rf ~ | cat', 'rm -rf ~'],
    ['bash -c "cd / && rm -rf *"', '"cd / && rm -rf *"'],
    ["su -c 'git add .' dev", "'git add .'"],
    ['bash -c \'sh -c "git add ."\'', '\'sh -c "git add ."\''],
    ["echo 'rm -rf ~' | sh", "echo 'rm -rf ~'"],
    ['echo / | xargs rm -rf', 'echo / | xargs rm -rf'],
    ['D=/; rm -rf $D', 'rm -rf $D'],
    ["bash <<< 'git add .'", "'git add .'"],
    ['bash <<E\ngit add .\nE', 'git add .\n'],
    ["git -c alias.x='!git add .' x", 'x'],
    ['😀; git add .', 'git add .'],
    ['git add >log .', 'git add >log .'],
  ])('of %j tells %j', async (command, text) => {
    const { match } = await check(command)

    expect(match?.text).toBe(text)
    expect(command.slice(match?.start, match?.end)).toBe(text)
  })

  test('shortens a long command in the message', async () => {
    const { message } = await check(`git add . ${'file '.repeat(200)}`)

    expect(message).toMatch(/^`git add \. (?:file )+f?i?l?e?…` stages/)
    expect(message?.length).toBeLessThan(400)
  })

  test('shows several lines of a command in one', async () => {
    const { message } = await check('rm -rf \\\n  /')

    expect(message).toMatch(/^`rm -rf \/` would delete the root directory/)
  })
})

describe('a long command', () => {
  const long = `echo ${'word '.repeat(2000)}`

  test('gives a promise, a short one does not', async () => {
    const verdict = checkCommand(long, options)

    expect(verdict).toBeInstanceOf(Promise)
    expect((await verdict).allowed).toBe(true)
    expect(checkCommand('ls', options)).not.toBeInstanceOf(Promise)
  })

  test('is refused as a short one is', async () => {
    expect(await check(`${long}; git add .`)).toMatchObject({ allowed: false, rule: 'git-add-blind' })
  })

  test('lets others run meanwhile', async () => {
    let turns = 0
    let done = false
    const count = () => {
      turns++
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    await check('echo a b c; '.repeat(8000))
    done = true

    expect(turns).toBeGreaterThan(2)
  })

  test('of 20,000 commands is checked to its end', async () => {
    expect(await check(`${'true && '.repeat(10_000)}git add .`)).toMatchObject({ rule: 'git-add-blind' })
  })
})

describe('the working directory', () => {
  test.each<[string, CheckOptions | undefined]>([
    ['no options', undefined],
    ['no workingDir', {}],
  ])('is that of this process with %s', async (_, given) => {
    // Relative to it, these are its parents up to the root.
    const root = '../'.repeat(process.cwd().split('/').length)

    expect(await checkCommand(`rm -rf ${root}`, given)).toMatchObject({ rule: 'rm-dangerous' })
    expect(await checkCommand(`rm -rf ${process.cwd()}/*`, given)).toMatchObject({ allowed: false })
    expect(await checkCommand('ls', given)).toMatchObject({ allowed: true })
  })
})

describe('variables', () => {
  const emptying = 'rm -rf "$BASHWARD_TEST_DIR/"*'

  test('are those of this process', async () => {
    process.env.BASHWARD_TEST_DIR = '/srv/x'
    try {
      expect(await check(emptying)).toMatchObject({ allowed: true })
    } finally {
      delete process.env.BASHWARD_TEST_DIR
    }
    expect(await check(emptying)).toMatchObject({ rule: 'rm-dangerous' })
  })

  test('are those that hasVariable knows, which is asked about those in paths', async () => {
    const hasVariable = jest.fn((name: string) => name === 'BASHWARD_TEST_DIR')

    expect(await check('echo "$A"; rm -rf ./build', { hasVariable })).toMatchObject({ allowed: true })
    expect(hasVariable).not.toHaveBeenCalled()
    expect(await check(emptying, { hasVariable })).toMatchObject({ allowed: true })
    expect(hasVariable).toHaveBeenCalledWith('BASHWARD_TEST_DIR')
  })
})

describe('bad input', () => {
  test.each<[unknown, unknown, string]>([
    [7, options, 'command: must be a string (got 7)'],
    [undefined, options, 'command: must be a string (got undefined)'],
    ['ls', null, 'options: must be an object (got null)'],
    ['ls', { workingDir: 'x' }, 'workingDir: must be an absolute path (got "x")'],
    ['ls', { workingDir: '/', home: 7 }, 'home: must be a string (got 7)'],
    ['ls', { workingDir: '/', terminal: 1 }, 'terminal: must be a boolean (got 1)'],
    ['ls', { workingDir: '/', hasVariable: 1 }, 'hasVariable: must be a function (got 1)'],
    [
      'ls',
      { workingDir: '/', cwd: '/' },
      'options.cwd: unknown field; did you mean workingDir? (allowed: workingDir, home, rules, terminal, hasVariable)',
    ],
    ['ls', { workingDir: '/', rules: [] }, 'rules: must be an object (got [])'],
    ['ls', { workingDir: '/', rules: { off: 'x' } }, 'rules.off: must be an array of rule names (got "x")'],
    [
      'ls',
      { workingDir: '/', rules: { off: ['rm'] } },
      'rules.off[0]: must be one of git-add-blind, git-push-force, rm-dangerous, needs-terminal (got "rm")',
    ],
    ['ls', { workingDir: '/', rules: { add: {} } }, 'rules.add: must be an array of rules (got {})'],
    ['ls', { workingDir: '/', rules: { add: [7] } }, 'rules.add[0]: must be an object (got 7)'],
    [
      'ls',
      { workingDir: '/', rules: { add: [{ name: '' }] } },
      'rules.add[0].name: must be a non-empty string (got "")',
    ],
    [
      'ls',
      { workingDir: '/', rules: { add: [{ name: 'x' }] } },
      'rules.add[0].applies: must be a function (got undefined)',
    ],
    [
      'ls',
      { workingDir: '/', rules: { add: [{ ...safetyRules[0], refuses: 7 }] } },
      'rules.add[0].refuses: must be a string (got 7)',
    ],
    [
      'ls',
      { workingDir: '/', rules: { add: [safetyRules[0]] } },
      'rules.add[0].name: there is a rule git-add-blind already',
    ],
  ])('%j with %j is an error', (command, given, message) => {
    const call = () => checkCommand(command as string, given as CheckOptions)

    expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }))
  })

  test('no text is too odd to be checked', async () => {
    for (const command of [
      '',
      ' ',
      '\n',
      '\0',
      '\ud800',
      '"',
      "'",
      '$(',
      '`',
      '((',
      '<<E',
      '{',
      '}',
      ';;',
      '\\',
      'git constructor',
      'git toString',
      'find . -true constructor -delete',
      'rm -rf [[:constructor:]]',
    ]) {
      expect((await check(command)).allowed).toBe(true)
    }
  })
})

describe('a variable of this process', () => {
  const name = 'BASHWARD_TEST_DIRECTORY'

  afterEach(() => delete process.env[name])

  test('is set for the command, too', async () => {
    const command = `rm -rf "$${name}/"*`
    expect((await check(command)).allowed).toBe(false)
    process.env[name] = '/tmp/x'

    expect((await check(command)).allowed).toBe(true)
    expect((await check(`ssh host '${command}'`)).allowed).toBe(false)
  })
})

describe('home', () => {
  test('is that of the user unless another is given', async () => {
    expect(await checkCommand('rm -rf ~', { workingDir: '/' })).toMatchObject({ rule: 'rm-dangerous' })
  })

  test('that is given is the one that counts', async () => {
    expect((await check('rm -rf /data/me', { home: '/data/me' })).allowed).toBe(false)
    expect((await check('rm -rf /data/me')).allowed).toBe(true)
  })

  test.each(['', '/', 'relative'])('%j is no directory to protect', async (home) => {
    expect((await check('rm -rf ~/build', { home })).allowed).toBe(true)
  })
})
