import { isWholeTree } from '../../../../lib/guard/safety/rules/pathspec.js'

const argument = (text: string) => ({ text, pattern: null, source: text, start: 0, end: 0 })

const whole = (...pathspecs: string[]): string | undefined => {
  const command = {
    program: 'git',
    words: [argument('git')] as [ReturnType<typeof argument>],
    workingDir: '/srv/app/src',
    startDir: '/srv/app',
    home: null,
  }
  return isWholeTree(pathspecs.map(argument), command)?.text
}

test.each(
  [
    '.',
    './',
    './/.',
    '*',
    '**',
    './*',
    '*/*',
    '**/*',
    '..',
    '../..',
    'a/..',
    ':/',
    ':',
    ':(top)',
    ':(glob)**',
  ].concat([
    '/srv/app',
    '/srv/app/src/',
    '/srv',
    '/srv/app/*',
    '../src',
    '../../app',
    ':!a',
    ':(exclude)a',
    ':(top,icase)*',
  ]),
)('%s is the whole tree', (pathspec) => {
  expect(whole(pathspec)).toBe(pathspec)
})

test.each(
  [
    'a',
    './a',
    'a/',
    'a/*',
    '*.ts',
    '.gitignore',
    '../a',
    ':/a',
    ':(top)a',
    ':(glob)**/*.ts',
    ':(literal)*',
  ].concat(['/srv/app/src/a', '/srv/other', ':(attr:x)', '..a', '...', '[ab]']),
)('%s is not', (pathspec) => {
  expect(whole(pathspec)).toBeUndefined()
})

test('one of several is enough', () => {
  expect(whole('a', '.', 'b')).toBe('.')
})

test('exceptions beside something are exceptions from that', () => {
  expect(whole('a', ':!a/b')).toBeUndefined()
  expect(whole(':!a', ':^b')).toBe(':!a')
})

test('nothing is nothing', () => {
  expect(whole()).toBeUndefined()
})
