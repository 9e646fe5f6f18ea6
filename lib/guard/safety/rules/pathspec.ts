// Pathspecs of git: whether they mean the whole tree (gitglossary(7), "pathspec").

import { matchesEverything } from '../glob.js'
import { normalize, readPath } from '../paths.js'
import { type Argument, type CheckedCommand, unknownText } from '../rule.js'

interface Pathspec {
  path: string
  magic: ReadonlySet<string>
}

/** The operand that stands for all there is; undefined: they are selective. */
export function isWholeTree(operands: readonly Argument[], command: CheckedCommand): Argument | undefined {
  const whole = operands.find(({ text }) => isWhole(readPathspec(text), command))
  // Exceptions alone are exceptions from everything.
  const onlyExceptions = operands.every(({ text }) => readPathspec(text).magic.has('exclude'))
  return whole ?? (onlyExceptions ? operands[0] : undefined)
}

function readPathspec(text: string): Pathspec {
  const [long, words] = /^:\(([^)]*)\)/.exec(text) ?? []
  if (long !== undefined) return { path: text.slice(long.length), magic: new Set(words?.split(',')) }
  const [short = '', signs = ''] = /^:([/!^]*):?/.exec(text) ?? []
  const magic = [...signs].map((sign) => (sign === '/' ? 'top' : 'exclude'))
  return { path: text.slice(short.length), magic: new Set(magic) }
}

function isWhole({ path, magic }: Pathspec, { workingDir, startDir }: CheckedCommand): boolean {
  if (path.includes(unknownText) || magic.has('exclude')) return false
  if ([...magic].some((word) => word.startsWith('attr:'))) return false
  const { absolute, up, components } = readPath(path)
  const selective = (name: string) => magic.has('literal') || !matchesEverything(name)
  const end = components.findLastIndex(selective) + 1
  if (end === 0 && !absolute) return true
  if (magic.has('top')) return false
  const rest = `${'../'.repeat(up)}${components.slice(0, end).join('/')}`
  const directories = absolute ? [workingDir, startDir] : [workingDir]
  return directories.some(
    (directory) =>
      directory !== null && isIn(directory, normalize(absolute ? `/${rest}` : `${directory}/${rest}`)),
  )
}

/** Whether the directory is `above`, or lies in it. */
function isIn(directory: string, above: string): boolean {
  return above === '/' || directory === above || directory.startsWith(`${above}/`)
}
