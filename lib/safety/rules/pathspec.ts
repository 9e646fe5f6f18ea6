// Pathspecs of git: whether they mean the whole tree (gitglossary(7), "pathspec").

import { matchesEverything } from '../glob.js'
import { normalize, readPath } from '../paths.js'
import { type Argument, type CheckedCommand, unknownText } from '../rule.js'

interface Pathspec {
  path: string
  magic: ReadonlySet<string>
}

const letters: Readonly<Record<string, string>> = { '/': 'top', '!': 'exclude', '^': 'exclude' }

/** The operand that stands for all there is; null: they are selective. */
export function isWholeTree(operands: readonly Argument[], command: CheckedCommand): Argument | null {
  const pathspecs = operands.map(({ text }) => readPathspec(text))
  const whole = operands.find((_, index) => isWhole(pathspecs[index] as Pathspec, command))
  // Exceptions alone are exceptions from everything.
  const onlyExceptions = pathspecs.every(({ magic }) => magic.has('exclude'))
  return whole ?? (onlyExceptions ? (operands[0] ?? null) : null)
}

function readPathspec(text: string): Pathspec {
  const long = /^:\(([^)]*)\)/.exec(text)
  if (long !== null) {
    return { path: text.slice(long[0].length), magic: new Set((long[1] as string).split(',')) }
  }
  const short = /^:([/!^]*):?/.exec(text)
  if (short === null) return { path: text, magic: new Set() }
  const magic = [...(short[1] as string)].map((letter) => letters[letter] as string)
  return { path: text.slice(short[0].length), magic: new Set(magic) }
}

function isWhole({ path, magic }: Pathspec, { workingDir, startDir }: CheckedCommand): boolean {
  if (path.includes(unknownText) || magic.has('exclude')) return false
  if ([...magic].some((word) => word.startsWith('attr:'))) return false
  const { absolute, up, components } = readPath(path)
  let end = components.length
  while (!magic.has('literal') && end > 0 && matchesEverything(components[end - 1] as string)) end--
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
