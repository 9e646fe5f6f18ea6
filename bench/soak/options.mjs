// The command line of `npm run soak`.

import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run soak -- [options]

  --minutes M       how long, 0.1 to 1440; default 2
  --commands N      or how many commands, 100 to 10000000
  --concurrency N   how many at a time, 1 to 64; default 8
  --output DIR      where soak.json and soak.svg go; default bench/results
  --publish         write docs/soak.md and docs/soak.svg
  --help            print this text

The exit status is 1 when memory, descriptors, threads, children or the directory of jobs have grown, or a command gave
anything unexpected.
`

const within = (name, text, [least, most]) => {
  const value = Number(text)
  if (!(value >= least && value <= most)) {
    throw new RangeError(`--${name}: must be from ${least} to ${most} (got ${JSON.stringify(text)})`)
  }
  return value
}

/**
 * @param {string[]} args
 * @returns {{ minutes: number, commands: number, concurrency: number, output?: string, publish: boolean, help: boolean }} of `minutes` and
 *   `commands` one is Infinity
 * @throws {TypeError | RangeError} for what is not understood
 */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      commands: { type: 'string' },
      concurrency: { type: 'string', default: '8' },
      output: { type: 'string' },
      publish: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.minutes !== undefined && values.commands !== undefined) {
    throw new RangeError('--minutes and --commands: must not be given both')
  }
  const byCount = values.commands !== undefined
  return {
    minutes: byCount ? Number.POSITIVE_INFINITY : within('minutes', values.minutes ?? '2', [0.1, 1440]),
    commands: byCount
      ? Math.round(within('commands', values.commands, [100, 10_000_000]))
      : Number.POSITIVE_INFINITY,
    concurrency: Math.round(within('concurrency', values.concurrency, [1, 64])),
    publish: values.publish,
    help: values.help,
    ...(values.output !== undefined && { output: values.output }),
  }
}
