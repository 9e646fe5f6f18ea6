// The command line of `npm run test:kernels`.
import { oneOf, parseValues, wholeNumber } from '../support/command-line.mjs'
import { TABLES } from './reports.mjs'
import { rows, users } from './rows.mjs'

export const USAGE = `npm run test:kernels -- [OPTION]...

Boots real kernels under QEMU and tries both sandbox modes in each, as root and as an ordinary user. A run of all rows
and tables writes docs/kernels.md, also one that finishes others with --continue. The exit status is 1 when a row is not as it has to be.

  --only ROW[,ROW]   some rows only
  --user NAME        ${users.join(' or ')} only
  --tables NAME,...  some of ${TABLES.join(', ')} only
  --controls         carry the attacks out without a sandbox, too: each has to be a real one
  --continue         take what earlier runs of the same code have reported, table by table
  --list             print the rows, boot nothing
  --jobs N           guests at a time (default 1)
  --limit SECONDS    how long a guest may run (default 1800)
  --refresh          look for newer kernels than those in the cache
`

const definition = {
  only: { type: 'string' },
  user: { type: 'string' },
  tables: { type: 'string' },
  list: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '1' },
  controls: { type: 'boolean', default: false },
  continue: { type: 'boolean', default: false },
  limit: { type: 'string', default: '1800' },
  refresh: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
}

const anyNumber = [1, 99_999]

/**
 * @param {string[]} args
 * @throws {UsageError}
 */
export const parseOptions = (args) => {
  const values = parseValues(args, definition)
  const names = rows.map(({ name }) => name)
  return {
    rows: values.only === undefined ? [] : values.only.split(',').map((name) => oneOf('only', name, names)),
    users: values.user === undefined ? users : [oneOf('user', values.user, users)],
    tables:
      values.tables === undefined
        ? TABLES
        : values.tables.split(',').map((name) => oneOf('tables', name, TABLES)),
    controls: values.controls,
    continue: values.continue,
    list: values.list,
    jobs: wholeNumber('jobs', values.jobs, anyNumber),
    limitMs: wholeNumber('limit', values.limit, anyNumber) * 1000,
    refresh: values.refresh,
    help: values.help,
  }
}
