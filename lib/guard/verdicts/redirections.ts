// What redirections do. A descriptor is a way around names: `1<file >/dev/stdout` opens the file for writing, since the kernel
// opens again what the descriptor stands for, and what is behind `>&5` only those know who opened it.

import type { Redirect } from '../safety/script/script.js'
import type { Argument } from './argument.js'
import { notKnown, type Objection, textIn } from './objection.js'
import { show, showArgument } from './show.js'
import { toArgument } from './words.js'

/** They may be files, which are opened again: only what appends to them leaves what is in them. */
const standardPaths = ['/dev/stdout', '/dev/stderr']
const copied = /^(\d+)-?$/
const networkFile = /^\/dev\/(?:tcp|udp)\//
/** A file to read from, or a descriptor that is copied, moved or closed. Not a here-document or `<(…)`. */
const givesDescriptor = /[<>]&|(?<!<)<(?![<(])/

/**
 * Of a text and all that it runs. 1 and 2 are only ever given `/dev/null` and each other, so what `>&1` writes to is what the
 * command was started with. Others are followed within one command: which of them a session has opened is not known.
 */
export class Redirections {
  /** What the text opens for reading. */
  readonly #inputs = new Set([0])
  #opensStandard = false
  #givesDescriptors = false

  /** @param rest the residue of a script */
  noteScript(rest: string): void {
    if (givesDescriptor.test(rest)) this.#givesDescriptors = true
  }

  /** What is wrong with the redirections of one command. */
  objections(redirects: readonly Redirect[]): Objection[] {
    const outputs = new Set([1, 2])
    return redirects.flatMap((redirect) => this.#objection(redirect, outputs) ?? [])
  }

  /** What is wrong with all of them together. */
  get objection(): Objection | null {
    return this.#opensStandard && this.#givesDescriptors
      ? notKnown('writes to what a descriptor stands for, which may be a file', 'writes')
      : null
  }

  #objection({ operator, descriptor, target }: Redirect, outputs: Set<number>): Objection | null {
    if (typeof descriptor === 'string') return notKnown(`opens a file for ${show(descriptor)}`, 'writes')
    const given = descriptor ?? (operator.startsWith('<') ? 0 : 1)
    const file = toArgument(target)
    const text = textIn(file)
    if (operator === '<&' || operator === '>&') {
      const [, source] = copied.exec(text ?? '') ?? []
      if (source !== undefined) return this.#copy(Number(source), given, outputs)
      if (text === '-') return null
      if (operator === '<&') return notKnown(`reads from ${showArgument(file)}, a descriptor`)
    } else if (operator.startsWith('<') && operator !== '<>') {
      const wrong = this.#give(given, outputs)
      return operator === '<' ? (wrong ?? inputReaches(file)) : wrong
    }
    const isStandard = operator.endsWith('>>') && standardPaths.includes(text ?? '')
    if (operator === '<>' || (text !== '/dev/null' && !isStandard))
      return notKnown(`writes to ${showArgument(file)}`, 'writes')
    if (isStandard) this.#opensStandard = true
    outputs.add(given)
    return null
  }

  #copy(source: number, given: number, outputs: Set<number>): Objection | null {
    if (outputs.has(source)) {
      outputs.add(given)
      return null
    }
    return this.#inputs.has(source)
      ? this.#give(given, outputs)
      : notKnown(`uses descriptor ${source}, which may be any file`, 'writes')
  }

  /** Something to read from. */
  #give(given: number, outputs: Set<number>): Objection | null {
    if (given === 1 || given === 2) return notKnown(`puts a file in place of descriptor ${given}`, 'writes')
    this.#inputs.add(given)
    outputs.delete(given)
    return null
  }
}

/** bash connects to a host where it opens some names. */
function inputReaches(file: Argument): Objection | null {
  if (file.kind === 'text') {
    return networkFile.test(file.text) ? notKnown(`connects to ${show(file.text)}`, 'network') : null
  }
  if (file.kind === 'unknown') return notKnown('reads a file that is not known')
  const mayReach = ['/dev/tcp/', '/dev/udp/'].some(
    (path) => path.startsWith(file.head) || file.head.startsWith(path),
  )
  return mayReach ? notKnown(`reads ${showArgument(file)}`, 'network') : null
}
