// Reads the command line.

import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run bench -- [options]

  --only LIST   some of the metrics, separated by commas: NAMES
  --quick       fewer and smaller batches: a few minutes, good for a first look
  --json FILE   write every figure and every batch to FILE as JSON; a number is an open file descriptor
  --publish     write docs/benchmarks.md and its charts in docs/bench/
  --user UID    as root: run as this ordinary user
  --help        print this text
`

/**
 * @typedef {object} Options
 * @property {string[]} only names of metrics
 * @property {boolean} quick
 * @property {string | number} [json]
 * @property {boolean} publish
 * @property {number} [user]
 * @property {boolean} help
 */

/**
 * @param {string[]} args
 * @param {string[]} names of the metrics
 * @returns {Options}
 * @throws {TypeError | RangeError} for what is not understood
 */
export function parseOptions(args, names) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      publish: { type: 'boolean', default: false },
      user: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.only === undefined ? names : values.only.split(',')
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new RangeError(`--only: must be some of ${names.join(', ')} (got "${unknown}")`)
  if (values.user !== undefined && !/^[1-9]\d{0,8}$/.test(values.user)) {
    throw new RangeError(`--user: must be the number of an ordinary user (got "${values.user}")`)
  }
  return {
    only,
    quick: values.quick,
    publish: values.publish,
    help: values.help,
    ...(values.json !== undefined && { json: /^\d+$/.test(values.json) ? Number(values.json) : values.json }),
    ...(values.user !== undefined && { user: Number(values.user) }),
  }
}
