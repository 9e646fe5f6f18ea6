// The command line of `npm run test:bashes`.
import { UsageError } from '../support/command-line.mjs'
import { parseOptions } from './options.mjs'

test('all packaged bashes, unless some are named', () => {
  const versions = (args: string[]) => parseOptions(args).rows.map(({ version }) => version)

  expect(versions([])).toEqual(['5.1', '5.2', '5.3'])
  expect(versions(['--only', '5.3'])).toEqual(['5.3'])
})

test('given paths are made absolute', () => {
  expect(parseOptions(['--bash', 'a/bash', '--bash', '/b/bash']).paths).toEqual([
    `${process.cwd()}/a/bash`,
    '/b/bash',
  ])
})

test('an unknown version is refused, with those that there are', () => {
  expect(() => parseOptions(['--only', '3.2'])).toThrow(
    new UsageError('--only: must be one of 5.1, 5.2, 5.3 (got "3.2")'),
  )
})
