// Reads the command line.

import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run bench -- [options]

  --only LIST   some of the metrics, separated by commas: NAMES
  --quick       fewer and smaller batches: about a minute, good for a first look
  --json FILE   write every figure and every batch to FILE as JSON; a number is an open file descriptor
  --user UID    as root: run as this ordinary user
  --help        print this text
`

/**
 * @param {string[]} args
 * @param {string[]} names of the metrics
 * @returns {{ only: string[], quick: boolean, json?: string | number, user?: number, help: boolean }}
 * @throws {TypeError | RangeError} for what is not understood
 */
export function parseOptions(args, names) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
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
    help: values.help,
    ...(values.json !== undefined && { json: /^\d+$/.test(values.json) ? Number(values.json) : values.json }),
    ...(values.user !== undefined && { user: Number(values.user) }),
  }
}
