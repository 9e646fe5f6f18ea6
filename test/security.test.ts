// SECURITY.md names what the code has: each protection, and each version of Landlock's ABI that is known.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protections } from '../lib/guard/sandbox/protections.js'
import { packageRoot } from './support/as-user.js'

const rows = readFileSync(join(packageRoot, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|')[1]?.trim() ?? '')

test('every protection has its row, in the order of the reports', () => {
  const named = rows.map((cell) => /^`(\w+)`$/.exec(cell)?.[1]).filter((name) => name !== undefined)

  expect(named).toEqual([...protections])
})

test('every ABI that the engine knows has its row', () => {
  const source = readFileSync(join(packageRoot, 'native/sandbox/landlock.h'), 'utf8')
  const newest = Number(/version (\d+) at most/.exec(source)?.[1])
  const listed = rows
    .filter((cell) => /^\d+(?:, \d+)*$/.test(cell))
    .flatMap((cell) => cell.split(', ').map(Number))

  expect(listed).toEqual(Array.from({ length: newest }, (_, index) => index + 1))
})
