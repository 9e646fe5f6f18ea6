// Which `cd` a user interface is spared: REQ-BASH-011.
import { homedir } from 'node:os'
import fc from 'fast-check'
import { oneLine, simplifyCommand } from '../../../lib/processes/output/simplify-command.js'

const dir = '/srv/app'
const simplify = (command: string, workingDir = dir, home = '/srv'): string =>
  simplifyCommand(command, workingDir, home)

describe('the cd to the directory where the command runs anyway', () => {
  test.each([
    ['cd /srv/app && make', 'make'],
    ['cd /srv/app; make', 'make'],
    ['cd /srv/app ;make', 'make'],
    ['cd /srv/app&&make', 'make'],
    ['  \n\tcd\t/srv/app  &&\tmake', 'make'],
    ['cd /srv/app && make || exit 1', 'make || exit 1'],
    ['cd /srv/app; make || exit 1', 'make || exit 1'],
    ['cd /srv/app && make | tee log && echo done', 'make | tee log && echo done'],
    ['cd /srv/app && make &', 'make &'],
    ['cd /srv/app &&\n  make\n', 'make\n'],
    ['cd /srv/app && \\\n  make', 'make'],
    ['cd /srv/app \\\n  && make', 'make'],
    ['cd \\\n  /srv/app && make', 'make'],
    ['cd /srv/\\\napp && make', 'make'],
    ['cd /srv/app;\n\nmake', 'make'],
    ['cd /srv/app && { make; }', '{ make; }'],
    ['cd /srv/app && (make)', '(make)'],
    ['cd /srv/app && >log make', '>log make'],
    ['cd /srv/app && cat <<E && make\ncd /srv/app && x\nE\n', 'cat <<E && make\ncd /srv/app && x\nE\n'],
    ['cd /srv/app && # build it\nmake', '# build it\nmake'],
    ['cd -- /srv/app && make', 'make'],
    ['cd -- /srv/app/; make', 'make'],
    ['cd -- "/srv/app" ; make', 'make'],
    ['cd "--" ~/app && make', 'make'],
    ['cd -L /srv/app && make', 'make'],
    ['cd -L -LL -- /srv/app && make', 'make'],
    ['cd \\\n  -- \\\n  /srv/app && make', 'make'],
    ['cd -- -x/.. && make', 'make'],
  ])('%j is shown as %j', (command, display) => {
    expect(simplify(command)).toBe(display)
  })

  test('only the first is left out: the rest is shown as it is', () => {
    expect(simplify('cd /srv/app && cd /srv/app && make')).toBe('cd /srv/app && make')
  })
})

describe('the same directory, in other words', () => {
  test.each([
    '/srv/app/',
    '/srv//app',
    '/srv/./app/.',
    '/srv/app/src/..',
    '/srv/../srv/app',
    '.',
    './',
    '../app',
    '"/srv/app"',
    "'/srv/app'",
    '/srv/"app"',
    '/s\\rv/app',
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
    ['/srv/app/', 'cd /srv/app && make'],
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
    ['another directory', 'cd /srv && make'],
    ['another directory, after ;', 'cd /srv; make'],
    ['one whose name begins the same', 'cd /srv/app2 && make'],
    ['one below', 'cd src && make'],
    ['a bare cd', 'cd /srv/app'],
    ['a bare cd with a separator', 'cd /srv/app;'],
    ['a bare cd with a comment', 'cd /srv/app; # here'],
    ['a list that is not finished', 'cd /srv/app && '],
    ['a fallback for the cd itself', 'cd /srv/app || exit 1'],
    ['a fallback, then more', 'cd /srv/app || exit 1; make'],
    ['a pipeline', 'cd /srv/app | make'],
    ['a cd in the background', 'cd /srv/app & make'],
    ['a line break for a separator', 'cd /srv/app\nmake'],
    ['two directories', 'cd /srv/app /srv && make'],
    ['no directory', 'cd && make'],
    ['the directory before this one', 'cd - && make'],
    ['an option', 'cd -P /srv/app && make'],
    ['two options, of which one counts', 'cd -L -P /srv/app && make'],
    ['an option that cd does not know', 'cd -x /srv/app && make'],
    ['two ends of options', 'cd -- -- /srv/app && make'],
    ['an option behind the end of options', 'cd -- -L /srv/app && make'],
    ['another directory behind --', 'cd -- /srv && make'],
    ['the directory before this one, behind --', 'cd -- - && make'],
    ['nothing behind --', 'cd -- && make'],
    ['nothing behind -L', 'cd -L; make'],
    ['an end of options that goes on', 'cd --/srv/app && make'],
    ['an empty directory', 'cd "" && make'],
    ['a redirection', 'cd /srv/app >log && make'],
    ['a redirection without a blank', 'cd /srv/app>log && make'],
    ['a redirection in front', '>log cd /srv/app && make'],
    ['a here-document', 'cd /srv/app <<E && make\nE\n'],
    ['an assignment', 'CDPATH= cd /srv/app && make'],
    ['a subshell', '(cd /srv/app && make)'],
    ['a group', '{ cd /srv/app && make; }'],
    ['a condition', 'if cd /srv/app; then make; fi'],
    ['a negation', '! cd /srv/app && make'],
    ['a later cd', 'make; cd /srv/app && make'],
    ['a comment', '# cd /srv/app && make'],
    ['a comment instead of a directory', 'cd # /srv/app && make'],
    ['a comment instead of a separator', 'cd /srv/app # && make'],
    ['another command', 'cdx /srv/app && make'],
    ['a longer word', 'cd\\\n/srv/app && make'],
    ['a pattern', 'cd /srv/ap* && make'],
    ['a pattern with ?', 'cd /srv/ap? && make'],
    ['a pattern with []', 'cd /srv/ap[p] && make'],
    ['a brace expansion', 'cd /srv/{app,} && make'],
    ['another variable', 'cd $DIR && make'],
    ['a variable with a default', `cd \${HOME:-/srv}/app && make`],
    ['a longer name', 'cd $HOMES/app && make'],
    ['a name that goes on in the next line', 'cd $PWD\\\nX && make'],
    ['a substitution', 'cd "$(pwd)" && make'],
    ['backticks', 'cd `pwd` && make'],
    ['somebody else’s home', 'cd ~work/app && make'],
    ['a tilde in quotes', 'cd "~/app" && make'],
    ['a carriage return', 'cd /srv/app\r && make'],
    ['the end of a case clause', 'cd /srv/app ;; make'],
    ['another end of a case clause', 'cd /srv/app ;& make'],
    ['three ampersands', 'cd /srv/app &&& make'],
    ['an operator instead of a command', 'cd /srv/app && || make'],
    ['a closing parenthesis', 'cd /srv/app; ) make'],
    ['a quote that is not closed', "cd '/srv/app && make"],
    ['a double quote that is not closed', 'cd "/srv/app && make'],
    ['a backslash at the end', 'cd /srv/app\\'],
    ['nothing', ''],
    ['only cd', 'cd'],
    ['a very long path', `cd ${'/.'.repeat(5000)}/srv/app && make`],
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
      '/srv/app',
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
      ' -- ',
      ' -L ',
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
        expect(simplify(`cd /srv/app && : ${rest}`)).toBe(`: ${rest}`)
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

describe('any text in one line', () => {
  test.each([
    ['line breaks', 'a\r\nb\u2028c\x85d', 'a b c d'],
    ['escape sequences', 'a\x1b[2Jb\x9b1mc', 'a [2Jb 1mc'],
    ['a change of the direction of writing', 'a\u202eb', 'a b'],
    ['blanks at the ends', ' \ta\n', 'a'],
    ['nothing else', 'é😀 "x"', 'é😀 "x"'],
  ])('replaces %s', (_, text, expected) => {
    expect(oneLine(text)).toBe(expected)
  })
})
