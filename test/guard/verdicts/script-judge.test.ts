import { findObjections } from '../../../lib/guard/verdicts/script-judge.js'

test('without the parser of the addon every command asks', () => {
  const steps = findObjections('ls', '/', [])
  let step = steps.next()
  while (!step.done) step = steps.next(null)

  expect(step.value.found).toMatchObject([
    { why: 'a script that only one of the two parsers can read here', start: 0, end: 2 },
  ])
})
