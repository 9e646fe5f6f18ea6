import { UsageError } from '../support/command-line.mjs'
import { drivenClients } from './clients.mjs'
import { parseOptions } from './options.mjs'

const runs = ['calls', 'whole', 'SIGINT']
const parse = (...args: string[]) => parseOptions(args, runs)

test('by default every client is driven through every run', () => {
  expect(parse()).toMatchObject({ clients: Object.keys(drivenClients), runs, page: false, before: undefined })
})

test('clients, runs and an older build can be chosen', () => {
  const options = parse('--only', 'codex,cline', '--run', 'SIGINT', '--before', '/tmp/old/dist/cli/bin.js')

  expect(options).toMatchObject({
    clients: ['codex', 'cline'],
    runs: ['SIGINT'],
    before: '/tmp/old/dist/cli/bin.js',
  })
})

test.each([
  [['--only', 'cursor'], /^--only: must be one of claude-code, codex, .* \(got "cursor"\)$/],
  [['--run', 'plain'], /^--run: must be one of calls, whole, SIGINT \(got "plain"\)$/],
  [['--before', ''], /^--before: must be the path of a file/],
  [['--nothing'], /--nothing/],
])('%j is wrong usage', (args, message) => {
  expect(() => parse(...args)).toThrow(UsageError)
  expect(() => parse(...args)).toThrow(message)
})
