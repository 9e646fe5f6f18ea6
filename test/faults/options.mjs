// The command line of `npm run test:faults`.
import { availableParallelism } from 'node:os'
import { oneOf, parseValues, wholeNumber } from '../support/command-line.mjs'
import { scenarios } from './scenario-list.mjs'

const names = scenarios.map(({ name }) => name)

export const USAGE = `npm run test:faults -- [OPTION]...

Makes the system calls of the engine fail, one at a time, and looks at what becomes of the command. A run of everything
writes docs/faults.md. The exit status is 1 when a fault had another outcome than a correct result or a typed error.

  --only SCENARIO[,SCENARIO]  ${names.join(', ')}
  --call NAME[,NAME]          some system calls only
  --jobs N                    hosts at a time, 1 to 64; default twice the number of cores
  --list                      print the faults, try none
  --json FILE                 write each fault with its outcome to a file
`

const definition = {
  only: { type: 'string' },
  call: { type: 'string' },
  jobs: { type: 'string', default: String(2 * availableParallelism()) },
  list: { type: 'boolean', default: false },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
}

/**
 * @param {string[]} args
 * @throws {UsageError}
 */
export const parseOptions = (args) => {
  const { only, call, jobs, list, json, help } = parseValues(args, definition)
  const chosen = only?.split(',').map((name) => oneOf('only', name, names)) ?? names
  return {
    scenarios: scenarios.filter(({ name }) => chosen.includes(name)),
    calls: call?.split(','),
    jobs: wholeNumber('jobs', jobs, [1, 64]),
    list,
    json,
    help,
  }
}
