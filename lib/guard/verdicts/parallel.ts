// Programs that run at a time multiply where one of those that start them runs another. So only one may be in a text, once,
// and it must not start shells, whose texts start any number of programs in turn.

import { notKnown, type Objection } from './objection.js'

export class Parallel {
  #isOuter = false
  #isRepeated = false
  /** Where the only one is: both readers come to it. */
  #only: number | undefined
  #start = 0
  #isStarted = false

  /**
   * A command begins.
   *
   * @param start its place in the text
   * @param isOuter whether it is no part of a script that another command runs, and nothing is left in the background
   */
  begin(start: number, isOuter: boolean): void {
    this.#start = start
    this.#isOuter = isOuter
    this.#isRepeated = false
    this.#isStarted = false
  }

  noteRepeated(): void {
    this.#isRepeated = true
  }

  /** The command starts several programs at a time. */
  start(): Objection | null {
    this.#only ??= this.#start
    const isOnly = this.#only === this.#start && !this.#isStarted
    this.#isStarted = true
    return this.#isOuter && isOnly && !this.#isRepeated ? null : many
  }

  /** The command starts a shell. */
  startShell(): Objection | null {
    return this.#isStarted ? many : null
  }
}

const many = notKnown('may start too many processes at a time', 'executes')
