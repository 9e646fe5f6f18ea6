import { isPattern, unescapePattern } from '../../../../lib/guard/safety/glob.js'
import { unknownText } from '../../../../lib/guard/safety/rule.js'
import { PreciousPlaces } from '../../../../lib/guard/safety/rules/precious-places.js'

/** @param pattern as a shell would take it; `?` at the beginning of `?/…` is not known */
const describePlace = (
  pattern: string,
  workingDir: string | null = '/home/dev/project',
): string | undefined => {
  const places = new PreciousPlaces({
    program: 'rm',
    words: [{ text: 'rm', pattern: null, source: 'rm', start: 0, end: 2 }],
    workingDir,
    startDir: '/home/dev/project',
    home: '/home/dev',
  })
  const written = pattern.replaceAll('UNKNOWN', unknownText)
  const text = unescapePattern(written)
  return places.describe({
    text,
    pattern: isPattern(written) ? written : null,
    source: pattern,
    start: 0,
    end: pattern.length,
  })
}

test.each([
  ['/', 'the root directory'],
  ['/tmp/..', 'the root directory'],
  ['/*', 'everything in the root directory'],
  ['/*/*', 'everything in the root directory'],
  ['/home/dev', 'the home directory'],
  ['/home/dev/*', 'everything in the home directory'],
  ['/home/dev/.*', 'everything in the home directory'],
  ['/home/d*', 'the home directory'],
  ['..', 'a directory above the working directory'],
  ['/home', 'a directory with the home directory in it'],
  ['/h*', 'a directory with the home directory in it'],
  ['/home/alice', 'a home directory'],
  ['/Users/alice', 'a home directory'],
  ['/root', 'a home directory'],
  ['/root/*', 'everything in a home directory'],
  ['/etc', 'a system directory'],
  ['/usr/*', 'everything in a system directory'],
  ['/opt', 'a system directory'],
  ['/var/lib', 'a system directory'],
  ['/var/l*', 'a system directory'],
  ['/usr/local/bin/*', 'everything in a system directory'],
  ['/home/dev/.ssh', 'keys, settings or other data in a home directory'],
  ['../.s*', 'keys, settings or other data in a home directory'],
  ['/home/alice/.config/*', 'keys, settings or other data in a home directory'],
  ['/root/.gnupg', 'keys, settings or other data in a home directory'],
  ['/home/*/.aws', 'keys, settings or other data in a home directory'],
  ['.', 'the working directory'],
  ['a/..', 'the working directory'],
  ['*', 'everything in the working directory'],
  ['*/', 'everything in the working directory'],
  ['../*', 'everything in a directory above the working directory'],
  ['/home/dev/project', 'the working directory'],
  ['/home/dev/project/*', 'everything in the working directory'],
  ['../project', 'the working directory'],
  ['.git', 'the git repository (.git)'],
  ['a/b/.git/', 'the git repository (.git)'],
  ['UNKNOWN/.git', 'the git repository (.git)'],
  ['.g*', 'the git repository (.git)'],
  ['.*', 'the git repository (.git)'],
  ['a/.g?t', 'the git repository (.git)'],
  ['.git/*', 'everything in the git repository (.git)'],
  ['.git/.*', 'everything in the git repository (.git)'],
])('%s is %s', (pattern, description) => {
  expect(describePlace(pattern)).toBe(description)
})

test.each(
  [
    'build',
    './build',
    'build/*',
    'build/.*',
    '*/build',
    '*.o',
    '.github',
    '.gitignore',
    '.git/hooks',
    '.n*',
    '',
  ].concat(
    [
      '/tmp/x',
      '/tmp/*',
      '/var/tmp/*',
      '/home/dev/x',
      '/home/dev/project2',
      '/home/dev.old',
      '/home/dev-1',
      '/usr/lib/x',
      '/var/lib/apt/lists',
      '/var/lib/apt/lists/*',
      '/var/log/*',
      '/var/cache',
      '/home/dev/.cache',
      '/home/dev/.config/x',
      '/home/alice/.cache',
      '/root/.npm',
    ],
    [
      'UNKNOWN',
      'UNKNOWN/x',
      'UNKNOWN/*',
      'UNKNOWN/..',
      'UNKNOWN.git',
      '\\*',
      '\\~',
      '.\\*',
      '*.git',
      'a\\*/b',
    ],
  ),
)('%s is nothing of importance', (pattern) => {
  expect(describePlace(pattern)).toBeUndefined()
})

test('a relative path begins where the command runs', () => {
  expect(describePlace('dev', '/home')).toBe('the home directory')
  expect(describePlace('home/dev', '/')).toBe('the home directory')
  expect(describePlace('dev', '/srv')).toBeUndefined()
  expect(describePlace('dev', null)).toBeUndefined()
  expect(describePlace('*', null)).toBe('everything in the working directory')
})
