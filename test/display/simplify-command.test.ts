// Which `cd` a user interface is spared (001/REQ-BASH-011).
import { homedir } from 'node:os'
import fc from 'fast-check'
import { simplifyCommand } from '../../lib/display/simplify-command.js'

const dir = '/work/app'
const simplify = (command: string, workingDir = dir, home = '/work'): string =>
  simplifyCommand(command, workingDir, home)

describe('the cd to the directory where the command runs anyway', () => {
  test.each([
    ['cd /work/app && make', 'make'],
    ['cd /work/app; make', 'make'],
    ['cd /work/app ;make', 'make'],
    ['cd /work/app&&make', 'make'],
    ['  \n\tcd\t/work/app  &&\tmake', 'make'],
    ['cd /work/app && make || exit 1', 'make || exit 1'],
    ['cd /work/app; make || exit 1', 'make || exit 1'],
    ['cd /work/app && make | tee log && echo done', 'make | tee log && echo done'],
    ['cd /work/app && make &', 'make &'],
    ['cd /work/app &&\n  make\n', 'make\n'],
    ['cd /work/app && \\\n  make', 'make'],
    ['cd /work/app \\\n  && make', 'make'],
    ['cd \\\n  /work/app && make', 'make'],
    ['cd /work/\\\napp && make', 'make'],
    ['cd /work/app;\n\nmake', 'make'],
    ['cd /work/app && { make; }', '{ make; }'],
    ['cd /work/app && (make)', '(make)'],
    ['cd /work/app && >log make', '>log make'],
    ['cd /work/app && cat <<E && make\ncd /work/app && x\nE\n', 'cat <<E && make\ncd /work/app && x\nE\n'],
    ['cd /work/app && # build it\nmake', '# build it\nmake'],
  ])('%j is shown as %j', (command, display) => {
    expect(simplify(command)).toBe(display)
  })

  test('only the first is left out: the rest is shown as it is', () => {
    expect(simplify('cd /work/app && cd /work/app && make')).toBe('cd /work/app && make')
  })
})

describe('the same directory, in other words', () => {
  test.each([
    '/work/app/',
    '/work//app',
    '/work/./app/.',
    '/work/app/src/..',
    '/work/../work/app',
    '.',
    './',
    '../app',
    '"/work/app"',
    "'/work/app'",
    '/work/"app"',
    '/w\\ork/app',
    '~/app',
    '$HOME/app',
    '"$HOME/app"',
    `\${HOME}/app`,
    `"\${HOME}"/app`,
    '$PWD',
    '"$PWD"',
  ])('cd %s', (word) => {
    expect(simplify(`cd ${word} && make`)).toBe('make')
  })

  test.each([
    ['/work/app/', 'cd /work/app && make'],
    ['/', 'cd / && make'],
    ['/', 'cd .. && make'],
    ['/a b', "cd '/a b' && make"],
    ['/a b', 'cd /a\\ b && make'],
    ['/a$b', 'cd "/a\\$b" && make'],
    ['/a\\b', 'cd "/a\\b" && make'],
    ['/\u{1F600}', 'cd /\\\u{1F600} && make'],
    ['/a#b', 'cd /a#b && make'],
    ['/home/me', 'cd ~ && make'],
    ['/home/me', 'cd ~; make'],
  ])('in %s: %s', (workingDir, command) => {
    expect(simplify(command, workingDir, '/home/me')).toBe('make')
  })

  test('a relative working directory is taken from that of the process', () => {
    expect(simplifyCommand(`cd ${process.cwd()} && make`, '.')).toBe('make')
  })

  test('without a home of its own, the command has that of the user', () => {
    expect(simplifyCommand('cd ~/x && make', `${homedir()}/x`)).toBe('make')
  })
})

describe('what is shown as it is', () => {
  test.each([
    ['another directory', 'cd /work && make'],
    ['another directory, after ;', 'cd /work; make'],
    ['one whose name begins the same', 'cd /work/app2 && make'],
    ['one below', 'cd src && make'],
    ['a bare cd', 'cd /work/app'],
    ['a bare cd with a separator', 'cd /work/app;'],
    ['a bare cd with a comment', 'cd /work/app; # here'],
    ['a list that is not finished', 'cd /work/app && '],
    ['a fallback for the cd itself', 'cd /work/app || exit 1'],
    ['a fallback, then more', 'cd /work/app || exit 1; make'],
    ['a pipeline', 'cd /work/app | make'],
    ['a cd in the background', 'cd /work/app & make'],
    ['a line break for a separator', 'cd /work/app\nmake'],
    ['two directories', 'cd /work/app /work && make'],
    ['no directory', 'cd && make'],
    ['the directory before this one', 'cd - && make'],
    ['an option', 'cd -P /work/app && make'],
    ['the end of options', 'cd -- /work/app && make'],
    ['an empty directory', 'cd "" && make'],
    ['a redirection', 'cd /work/app >log && make'],
    ['a redirection without a blank', 'cd /work/app>log && make'],
    ['a redirection in front', '>log cd /work/app && make'],
    ['a here-document', 'cd /work/app <<E && make\nE\n'],
    ['an assignment', 'CDPATH= cd /work/app && make'],
    ['a subshell', '(cd /work/app && make)'],
    ['a group', '{ cd /work/app && make; }'],
    ['a condition', 'if cd /work/app; then make; fi'],
    ['a negation', '! cd /work/app && make'],
    ['a later cd', 'make; cd /work/app && make'],
    ['a comment', '# cd /work/app && make'],
    ['a comment instead of a directory', 'cd # /work/app && make'],
    ['a comment instead of a separator', 'cd /work/app # && make'],
    ['another command', 'cdx /work/app && make'],
    ['a longer word', 'cd\\\n/work/app && make'],
    ['a pattern', 'cd /work/ap* && make'],
    ['a pattern with ?', 'cd /work/ap? && make'],
    ['a pattern with []', 'cd /work/ap[p] && make'],
    ['a brace expansion', 'cd /work/{app,} && make'],
    ['another variable', 'cd $DIR && make'],
    ['a variable with a default', `cd \${HOME:-/work}/app && make`],
    ['a longer name', 'cd $HOMES/app && make'],
    ['a name that goes on in the next line', 'cd $PWD\\\nX && make'],
    ['a substitution', 'cd "$(pwd)" && make'],
    ['backticks', 'cd `pwd` && make'],
    ['somebody else’s home', 'cd ~work/app && make'],
    ['a tilde in quotes', 'cd "~/app" && make'],
    ['a carriage return', 'cd /work/app\r && make'],
    ['the end of a case clause', 'cd /work/app ;; make'],
    ['another end of a case clause', 'cd /work/app ;& make'],
    ['three ampersands', 'cd /work/app &&& make'],
    ['an operator instead of a command', 'cd /work/app && || make'],
    ['a closing parenthesis', 'cd /work/app; ) make'],
    ['a quote that is not closed', "cd '/work/app && make"],
    ['a double quote that is not closed', 'cd "/work/app && make'],
    ['a backslash at the end', 'cd /work/app\\'],
    ['nothing', ''],
    ['only cd', 'cd'],
    ['a very long path', `cd ${'/.'.repeat(5000)}/work/app && make`],
  ])('%s', (_, command) => {
    expect(simplify(command)).toBe(command)
  })

  test('an unquoted $HOME that bash would split or expand', () => {
    expect(simplify('cd $HOME && make', '/a b', '/a b')).toBe('cd $HOME && make')
    expect(simplify('cd $HOME && make', '/a*', '/a*')).toBe('cd $HOME && make')
    expect(simplify('cd "$HOME" && make', '/a b', '/a b')).toBe('make')
  })

  test('a home that is not known', () => {
    expect(simplify('cd ~ && make', '/', '')).toBe('cd ~ && make')
  })
})

describe('whatever the command', () => {
  const fragments = [
    ...[
      'cd',
      ' ',
      '\t',
      '\n',
      '\\\n',
      '/work/app',
      '"',
      "'",
      '\\',
      '$HOME',
      '$PWD',
      '~',
      '/app',
      '/',
      '.',
      '..',
    ],
    ...[
      ' && ',
      ';',
      '&',
      '|',
      '||',
      '#',
      '>',
      '<<E',
      '\nE\n',
      '(',
      ')',
      '{',
      '}',
      'make',
      '-',
      '*',
      '`',
      '\r',
    ],
  ]
  const texts = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(''))
  const commands = fc.oneof(
    texts,
    texts.map((text) => `cd ${text} && make`),
    fc.string({ unit: 'binary' }),
  )

  test('what is shown is its end', () => {
    fc.assert(
      fc.property(commands, (command) => {
        const display = simplify(command)
        expect(command.endsWith(display)).toBe(true)
        expect(display === '').toBe(command === '')
      }),
      { numRuns: 2000 },
    )
  })

  test('what follows a separator is never looked into', () => {
    fc.assert(
      fc.property(texts, (rest) => {
        expect(simplify(`cd /work/app && : ${rest}`)).toBe(`: ${rest}`)
      }),
    )
  })

  // Compared as booleans: jest takes minutes to print such a difference.
  test.each([
    ['blanks', ' '.repeat(4_000_000), false],
    ['escaped line breaks', '\\\n'.repeat(2_000_000), false],
    ['comments', '#\n'.repeat(2_000_000), false],
    ['a word', 'x'.repeat(4_000_000), true],
    ['quotes', `"${'x'.repeat(4_000_000)}"`, true],
  ])('four million characters of %s are no trouble', (_, text, isCommand) => {
    expect(simplify(`cd ${text}`) === `cd ${text}`).toBe(true)
    expect(simplify(`cd . &&${text}`) === text).toBe(isCommand)
  })
})

describe('wrong arguments', () => {
  test.each([
    ['command', () => simplifyCommand(1 as never, '/'), 'command: must be a string (got 1)'],
    ['workingDir', () => simplifyCommand('ls', ''), 'workingDir: must be the path of a directory (got "")'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }))
  })
})
