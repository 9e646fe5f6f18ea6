// A program from the network that runs before anybody has read it: `curl … | sh`. What network programs print is followed
// through pipes, substitutions and variables, by a text of its own in place of what is not known.

import { findFirst } from '../../safety/checker.js'
import type { Field } from '../../safety/expansion/field.js'
import { type SafetyRule, unknownText } from '../../safety/rule.js'
import { type Span, spanOf } from '../../safety/script/script.js'
import type { Watch, WatchedCommand } from '../../safety/watch.js'
import { show } from '../show.js'
import { mayDownload, printsDownload, programOf } from './interpreters.js'

/** A second code point that is never a character. */
const mark = '\u{FDD1}'
const downloaded = `${unknownText}${mark}`

/** Nothing is known of it but that it is from a network. */
const isDownloaded = (text: string) => text.includes(mark) && /^[\u{FDD0}\u{FDD1}\s]+$/u.test(text)

/** Some of it is. */
const holds = (texts: readonly string[] | undefined) => texts?.some((text) => text.includes(mark)) === true

/** Lines of it are: what is only a part of one is more likely a value in a program of this text. */
const holdsProgram = (texts: readonly string[] | undefined) =>
  texts?.some((text) => text.includes(mark) && text.split('\n').some(isDownloaded)) === true

export interface Piped extends Span {
  /** What runs it. */
  program: string
  message: string
}

/** Places that are told: with one, the whole text is denied. */
const maxFound = 8

/** Characters of the command that a message shows. */
const maxShown = 80

/**
 * @param tell called for each place that is found
 * @returns a promise for a long text
 */
export function findPiped(
  text: string,
  place: { workingDir: string; home: string },
  tell: (piped: Piped) => void,
): Promise<unknown> | undefined {
  if (!mayDownload(text)) return undefined
  // Of its own: its mark of what is not known is none to the other rules.
  let count = 0
  const watch = new PipeToShell(text, (piped) => {
    count++
    tell(piped)
  })
  const enough: SafetyRule = {
    name: 'enough',
    applies: ({ words }) => (count < maxFound ? null : words[0]),
    explain: () => '',
  }
  const found = findFirst(text, { ...place, rules: [enough], lastRules: [], hasVariable: () => false, watch })
  return found instanceof Promise ? found : undefined
}

class PipeToShell implements Watch {
  readonly #text: string
  readonly #tell: (piped: Piped) => void
  /** The last program that got something from a network: before there is one, there is nothing to follow. */
  #download: Span | undefined

  constructor(text: string, tell: (piped: Piped) => void) {
    this.#text = text
    this.#tell = tell
  }

  output({ program, words, input, outputOf }: WatchedCommand): readonly string[] | undefined {
    if (printsDownload(program, words)) {
      this.#download = spanOf(words)
      return [`${downloaded}\n`]
    }
    // What `sed` or `gunzip` makes of it is from there, too.
    if (this.#download === undefined) return undefined
    const isFrom =
      words.some(({ text, process }) => holds([text]) || holds(process && outputOf(process))) ||
      holds(input()?.texts)
    return isFrom ? [`${downloaded}\n`] : undefined
  }

  visit(command: WatchedCommand): void {
    if (this.#download === undefined) return
    const { program, words, runner } = command
    const [name] = words
    // As written in the script: not `$(curl …)`, of which a shell would take only the words.
    if (runner !== undefined && isDownloaded(name.source)) {
      const { program: by } = runner
      this.#note(by, takesFile.has(by) ? `${by} FILE` : 'sh FILE', [name, runner])
      return
    }
    const source = programOf(program, words)
    if (source === undefined) return
    const read = source.isInput ? command.input() : undefined
    if (!holdsProgram(read?.texts) && !isProgram(source.argument, command)) return
    this.#note(program, `${program} FILE`, [...words, ...(read ? [read] : []), ...(runner ? [runner] : [])])
  }

  #note(program: string, run: string, spans: readonly [Span, ...Span[]]): void {
    const { start, end } = spanOf(this.#download === undefined ? spans : [...spans, this.#download])
    const shown = show(this.#text.slice(start, end), maxShown)
    const message =
      `${shown} runs what comes from the network before anybody has read it. Instead, download it, read it, and run ` +
      `the file: \`curl -fsSLo FILE URL\`, \`cat FILE\`, \`${run}\`.`
    this.#tell({ program, message, start, end })
  }
}

/** Shells, and what runs a file in this one. */
const takesFile = new Set(['.', 'ash', 'bash', 'dash', 'ksh', 'source', 'zsh'])

/** A text, or what is read from `<(…)`. */
function isProgram(argument: Field | undefined, { outputOf }: WatchedCommand): boolean {
  if (argument === undefined) return false
  return holdsProgram(argument.process === undefined ? [argument.text] : outputOf(argument.process))
}
