import { UsageError } from '../support/command-line.mjs'
import { parseOptions } from './options.mjs'
import { users } from './rows.mjs'

test('by default everything is run, one guest at a time', () => {
  expect(parseOptions([])).toMatchObject({ rows: [], users, jobs: 1, limitMs: 1_800_000, continue: false })
})

test('rows and a user can be chosen', () => {
  const options = parseOptions(['--only', '6.1,arm64-6.12', '--user', 'ordinary', '--limit', '60'])
  expect(options).toMatchObject({ rows: ['6.1', 'arm64-6.12'], users: ['ordinary'], limitMs: 60_000 })
})

test('tables can be chosen, and are all without a choice', () => {
  expect(parseOptions(['--tables', 'files,sockets']).tables).toEqual(['files', 'sockets'])
  expect(parseOptions([]).tables).toEqual(['restricted', 'files', 'sockets'])
})

test.each([
  [['--only', '6.13'], /^--only: must be one of 5\.10, .* \(got "6\.13"\)$/],
  [['--user', 'nobody'], /^--user: must be one of root, ordinary \(got "nobody"\)$/],
  [['--tables', 'rows'], /^--tables: must be one of restricted, files, sockets \(got "rows"\)$/],
  [['--jobs', '0'], /^--jobs: must be a whole number/],
  [['--limit', '1e3'], /^--limit: must be a whole number/],
  [['--nothing'], /--nothing/],
])('%j is wrong usage', (args, message) => {
  const parse = () => parseOptions(args)
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(message)
})
