import { rememberWithheld, withheldByAny } from '../../../lib/processes/environment/login-secrets.js'

test('as long as nothing is known, the list is the own one', () => {
  const own = [['A_TOKEN', 'value-of-a']] as const
  expect(withheldByAny(own)).toBe(own)
  expect(withheldByAny(undefined)).toBeUndefined()
})

test('what start-up files have set is added, once', () => {
  rememberWithheld([['B_TOKEN', 'value-of-b']])
  rememberWithheld([['B_TOKEN', 'value-of-b']])
  const own = [['A_TOKEN', 'value-of-a']] as const

  expect(withheldByAny(own)).toEqual([
    ['A_TOKEN', 'value-of-a'],
    ['B_TOKEN', 'value-of-b'],
  ])
})

test('the same lists give the same list', () => {
  const own = [['A_TOKEN', 'value-of-a']] as const
  rememberWithheld([['B_TOKEN', 'value-of-b']])

  expect(withheldByAny(own)).toBe(withheldByAny(own))
})

test('no more than a thousand are remembered', () => {
  rememberWithheld(Array.from({ length: 3000 }, (_, index) => [`T${index}_TOKEN`, `value-${index}`] as const))

  expect(withheldByAny(undefined)).toHaveLength(1000)
})
