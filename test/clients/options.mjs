// The command line of `npm run test:clients`.
import { oneOf, parseValues, UsageError } from '../support/command-line.mjs'
import { drivenClients } from './clients.mjs'

const names = Object.keys(drivenClients)

export const USAGE = `npm run test:clients -- [OPTION]...

Installs MCP clients, and drives each by a model that follows a script, in a network that is loopback alone. Writes
docs/mcp-clients.md from what it has seen of all of them, now and in earlier runs.

  --only CLIENT[,CLIENT]  some clients only: ${names.join(', ')}
  --run NAME[,NAME]       some runs only, as calls or SIGKILL
  --before PATH           dist/cli/bin.js of an older build: the tables compare with it
  --page                  drive nothing: write the page anew
  --list                  print the clients and their versions
`

const definition = {
  only: { type: 'string' },
  run: { type: 'string' },
  before: { type: 'string' },
  page: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
}

/**
 * @param {string[]} args
 * @param {string[]} runs the names of all runs
 * @throws {UsageError}
 */
export const parseOptions = (args, runs) => {
  const { only, run, before, ...flags } = parseValues(args, definition)
  if (before === '') throw new UsageError('--before: must be the path of a file (got "")')
  const some = (field, value, all) => value?.split(',').map((name) => oneOf(field, name, all)) ?? all
  return { ...flags, before, clients: some('only', only, names), runs: some('run', run, runs) }
}
