// What a release does to the version and the changelog.
import { evaluate } from './evaluate.js'

const call = (name: string, ...parameters: unknown[]): unknown =>
  evaluate('release/version.mjs', `module.${name}(...input) ?? null`, parameters)

test.each(['1.2.3', '0.1.0-beta.1'])('%s is a version', (text) => {
  expect(call('isVersion', text)).toBe(true)
})

test.each(['1.2', 'v1.2.3', '1.2.3 ', 'latest'])('%p is none', (text) => {
  expect(call('isVersion', text)).toBe(false)
})

test.each([
  ['0.9.9', '0.10.0', true],
  ['1.0.0-beta.2', '1.0.0-beta.10', true],
  ['1.0.0-beta.2', '1.0.0', true],
  ['1.0.0', '1.0.0-beta.2', false],
  ['1.0.0', '1.0.0', false],
  ['2.0.0', '1.9.9', false],
])('whether %s is older than %s: %s', (a, b, older) => {
  expect(call('isOlder', a, b)).toBe(older)
})

test('a manifest and a lock file get the version, and nothing else changes', () => {
  const lock = {
    name: 'x',
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, 'node_modules/y': { version: '5.0.0' } },
  }

  expect(JSON.parse(call('withVersion', JSON.stringify(lock), '0.2.0') as string)).toEqual({
    ...lock,
    version: '0.2.0',
    packages: { ...lock.packages, '': { version: '0.2.0' } },
  })
})

test('what is unreleased gets the heading of the version, from which its notes are found', () => {
  const expression = `[module.withReleaseHeading(input, '0.2.0', new Date(0))].map((text) => [text, module.releaseNotes(text, '0.2.0')])[0]`
  const changelog = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (1969-12-31)\n\n- Old.\n'

  expect(evaluate('release/version.mjs', expression, changelog)).toEqual([
    changelog.replace('unreleased', '1970-01-01'),
    '- New.',
  ])
})

test('a version that is unreleased has no release notes', () => {
  expect(call('releaseNotes', '## 0.2.0 (unreleased)\n\n- New.\n', '0.2.0')).toBeNull()
})

test('a changelog with nothing unreleased is refused', () => {
  expect(() =>
    evaluate(
      'release/version.mjs',
      `module.withReleaseHeading(input, '1.0.0', new Date(0))`,
      '# Changelog\n',
    ),
  ).toThrow('CHANGELOG.md has no heading that says (unreleased)')
})
