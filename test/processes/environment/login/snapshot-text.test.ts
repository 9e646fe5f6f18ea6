// The answer of a login shell.
import { readSnapshot } from '../../../../lib/processes/environment/login/snapshot-text.js'

const read = (text: string) => readSnapshot(Buffer.from(text), 'word')

test('variables follow the mark', () => {
  expect(read('\0word\0A=1\0B=x=y\0C=\0')).toEqual({ A: '1', B: 'x=y', C: '' })
})

test('lines are part of a value', () => {
  expect(read('\0word\0A=1\n2\0')).toEqual({ A: '1\n2' })
})

test('what stands before the mark is noise', () => {
  expect(read('hello\0X=1\0\0word\0A=1\0')).toEqual({ A: '1' })
})

test('without the mark there is no answer', () => {
  expect(read('A=1\0')).toBeUndefined()
})

test('a variable may have any name', () => {
  expect(read('\0word\0__proto__=1\0constructor=2\0')?.constructor).toBe('2')
})
