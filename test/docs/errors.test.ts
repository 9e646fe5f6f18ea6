// docs/errors.md: executed, and with each code that there is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { testPage } from './executed-page.js'

testPage('docs/errors')

test('each code has one row, and there are no others', () => {
  const source = readFileSync(join(packageRoot, 'lib/base/errors.ts'), 'utf8')
  const codes = [...source.matchAll(/^ {2}\| '(ERR_\w+)'$/gm)].map(([, code]) => code)
  const page = readFileSync(join(packageRoot, 'docs/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(ERR_\w+)` \|/gm)].map(([, code]) => code)

  expect(codes).not.toHaveLength(0)
  expect(rows.sort()).toEqual(codes.sort())
})
