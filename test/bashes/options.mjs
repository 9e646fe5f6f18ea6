// The command line of `npm run test:bashes`.
import { isAbsolute, resolve } from 'node:path'
import { parseValues, UsageError } from '../support/command-line.mjs'
import { rows } from './rows.mjs'

export const USAGE = `npm run test:bashes -- [OPTION]...

Runs the tests of sessions with each bash that they have to work with. Without --bash they are those of Debian's
releases, as packages that are unpacked and not installed. The exit status is 1 when a test fails.

  --bash PATH        this bash instead; may be given several times
  --only VERSION     ${rows.map(({ version }) => version).join(', ')}; may be given several times
  --refresh          look for newer packages than those in the cache
`

const definition = {
  bash: { type: 'string', multiple: true, default: [] },
  only: { type: 'string', multiple: true, default: [] },
  refresh: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
}

/**
 * @param {string[]} args
 * @throws {UsageError}
 */
export const parseOptions = (args) => {
  const { bash, only, refresh, help } = parseValues(args, definition)
  const versions = rows.map(({ version }) => version)
  const unknown = only.find((version) => !versions.includes(version))
  if (unknown !== undefined) {
    throw new UsageError(`--only: must be one of ${versions.join(', ')} (got ${JSON.stringify(unknown)})`)
  }
  return {
    paths: bash.map((path) => (isAbsolute(path) ? path : resolve(path))),
    rows: rows.filter(({ version }) => only.length === 0 || only.includes(version)),
    refresh,
    help,
  }
}
