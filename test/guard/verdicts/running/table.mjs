// The names of the table, read from its source: the package does not give them.

import { readFileSync } from 'node:fs'

const read = (name) =>
  readFileSync(new URL(`../../../../lib/guard/verdicts/read-only/${name}.ts`, import.meta.url), 'utf8')

const keysOf = (source, from) => {
  const [, body = ''] = source.slice(source.indexOf(from)).split(/= \{$/m)
  return [...body.matchAll(/^ {2}(?:'([^']+)'|([\w-]+))(?::|,$)/gm)].map(
    ([, quoted, plain]) => quoted ?? plain,
  )
}

const source = read('programs')
const listed = [...source.matchAll(/names\(`([^`]*)`\)/g)]
  .slice(0, 1)
  .flatMap(([, text]) => text.trim().split(/\s+/))

export const programs = [...new Set([...listed, ...keysOf(source, 'const forms')])]
export const gitCommands = keysOf(read('git'), 'const forms')
