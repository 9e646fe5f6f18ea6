// Wrong options are refused with the field, what is allowed, and what came.

import { BashError } from '../../../lib/base/errors.js'
import {
  checkEnvironmentOptions,
  type EnvironmentOptions,
} from '../../../lib/processes/environment/environment-options.js'

function refusal(options: unknown, field?: string): string {
  try {
    checkEnvironmentOptions(options, field)
  } catch (error) {
    if (BashError.isInstance(error) && error.code === 'ERR_INVALID_INPUT') return error.message
    throw error
  }
  throw new Error('was accepted')
}

test.each<EnvironmentOptions>([
  {},
  { inherit: 'all' },
  { inherit: 'none', allow: ['A', '*_KEY'], deny: [], set: { A: '', B: 'x=y\n', C: undefined } },
])('%j is accepted', (options) => {
  expect(() => checkEnvironmentOptions(options)).not.toThrow()
})

test.each<[unknown, string]>([
  [null, 'env: must be an object (got null)'],
  [[], 'env: must be an object (got [])'],
  ['all', 'env: must be an object (got "all")'],
  [
    { inherits: 'all' },
    'env.inherits: unknown field; did you mean inherit? (allowed: inherit, allow, deny, set, login)',
  ],
  [{ inherit: 'some' }, 'env.inherit: must be one of filtered, all, none (got "some")'],
  [{ inherit: true }, 'env.inherit: must be one of filtered, all, none (got true)'],
  [{ allow: 'FOO' }, 'env.allow: must be an array of names or patterns (got "FOO")'],
  [{ deny: [1] }, "env.deny[0]: must be a non-empty string without '=' and NUL (got 1)"],
  [{ deny: ['A', 'B=1'] }, 'env.deny[1]: must be a non-empty string without \'=\' and NUL (got "B=1")'],
  [{ allow: [''] }, 'env.allow[0]: must be a non-empty string without \'=\' and NUL (got "")'],
  [{ set: 'A=1' }, 'env.set: must be an object of strings (got "A=1")'],
  [{ set: { FOO: 42 } }, 'env.set.FOO: must be a string or undefined (got 42)'],
  [{ set: { FOO: null } }, 'env.set.FOO: must be a string or undefined (got null)'],
  [{ set: { FOO: {} } }, 'env.set.FOO: must be a string or undefined (got {})'],
  [{ set: { '': 'x' } }, 'env.set: names must be non-empty and without \'=\' and NUL (got "")'],
  [{ set: { 'A=B': 'x' } }, 'env.set: names must be non-empty and without \'=\' and NUL (got "A=B")'],
  [{ set: { 'A\0B': 'x' } }, 'env.set: names must be non-empty and without \'=\' and NUL (got "A\\u0000B")'],
  [{ set: { FOO: 'hush\0' } }, 'env.set.FOO: must not contain NUL (got one at index 4)'],
])('%j: %s', (options, message) => {
  expect(refusal(options)).toBe(message)
})

test('a value longer than execve takes is refused, in bytes', () => {
  expect(refusal({ set: { FOO: 'é'.repeat(70_000) } })).toBe(
    'env.set.FOO: must be at most 131071 bytes as NAME=value (got 140004)',
  )
})

test('a value as long as execve takes is accepted', () => {
  expect(() => checkEnvironmentOptions({ set: { FOO: 'x'.repeat(131_067) } })).not.toThrow()
})

test('the caller says what the options are called', () => {
  expect(refusal({ inherit: 1 }, 'options.env')).toMatch(/^options\.env\.inherit: /)
})

test('a message does not repeat a long value', () => {
  expect(refusal({ inherit: 'x'.repeat(1_000) }).length).toBeLessThan(150)
})
