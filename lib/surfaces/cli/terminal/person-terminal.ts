// The terminal of the person who has called the program: raw while a job is shown on it, and given back as it was, however this
// ends. No mode of it is set but that, so one who is killed leaves nothing behind that `stty sane` would not mend.

import { writeSync } from 'node:fs'
import { signalStatus } from '../../../commands/run/exit-status.js'
import type { Size } from '../../../terminals/terminal/painted-frame.js'
import { UsageError } from '../command-line.js'
import { writeText } from '../stdio.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Of a terminal that does not know its size. */
const defaultSize: Size = { rows: 24, columns: 80 }

export interface PersonEvents {
  /** Pieces of what is typed. */
  onInput(bytes: Buffer): void
  /** The terminal has another size, or what it shows is lost: all is to be painted. */
  onResize(): void
  /** @param exitStatus what the program is to end with: a signal came, or the terminal is gone */
  onEnd(exitStatus: number): void
}

/**
 * @param instead what can be done without
 * @throws {UsageError} where there is no terminal, or one that shows no screen
 */
export function checkPersonTerminal(program: string, what: string, instead = ''): void {
  const missing = (['stdin', 'stdout'] as const).find((name) => !process[name].isTTY)
  if (missing !== undefined) {
    throw new UsageError(program, `${what} needs a terminal, and ${missing} is not one${instead}`)
  }
  const { TERM: term = 'dumb' } = process.env
  if (term === 'dumb' || term === '')
    throw new UsageError(
      program,
      `${what} needs a terminal that can show a screen (got TERM=${term})${instead}`,
    )
}

export function sizeOfPersonTerminal(): Size {
  const { rows, columns } = process.stdout
  return rows > 0 && columns > 0 ? { rows, columns } : defaultSize
}

export class PersonTerminal {
  readonly #events: PersonEvents
  #leave: (() => string) | undefined
  #isGone = false

  constructor(events: PersonEvents) {
    this.#events = events
  }

  get size(): Size {
    return sizeOfPersonTerminal()
  }

  /** @param leave gives what is written to the terminal when it is given back */
  enter(text: string, leave: () => string): void {
    this.#leave = leave
    const { stdin, stdout } = process
    stdin.setRawMode(true)
    process.on('exit', this.#giveBackAtOnce)
    // Before Node prints what has gone wrong.
    process.on('uncaughtExceptionMonitor', this.#giveBackAtOnce)
    for (const signal of signals) process.on(signal, this.#onSignal)
    process.on('SIGCONT', this.#onContinued)
    stdout.on('resize', this.#onResize)
    stdout.on('error', this.#onGone)
    stdin.on('data', this.#onData).on('end', this.#onGone).on('error', this.#onGone)
    stdout.write(text)
  }

  async write(text: string): Promise<void> {
    await writeText(process.stdout, text)
  }

  /** Resolves when the terminal is as it was. Does nothing the second time. */
  async giveBack(): Promise<void> {
    const text = this.#restore()
    if (text === undefined) return
    const { stdin, stdout } = process
    process.off('exit', this.#giveBackAtOnce)
    process.off('uncaughtExceptionMonitor', this.#giveBackAtOnce)
    process.off('SIGCONT', this.#onContinued)
    stdout.off('resize', this.#onResize)
    stdin.off('data', this.#onData)
    stdin.pause()
    await this.write(text)
    for (const signal of signals) process.off(signal, this.#onSignal)
    if (this.#isGone) endWithoutTerminal()
  }

  #restore(): string | undefined {
    const leave = this.#leave
    this.#leave = undefined
    if (leave === undefined) return undefined
    this.#isGone = !setRaw(false)
    return leave()
  }

  readonly #giveBackAtOnce = () => {
    const text = this.#restore()
    if (text === undefined) return
    try {
      writeSync(1, text)
    } catch {
      // It is gone.
    }
  }

  readonly #onData = (bytes: Buffer) => this.#events.onInput(bytes)

  readonly #onResize = () => this.#events.onResize()

  readonly #onGone = () => this.#events.onEnd(signalStatus('SIGHUP'))

  readonly #onSignal = (signal: NodeJS.Signals) => this.#events.onEnd(signalStatus(signal))

  /** Meanwhile a shell has had the terminal. */
  readonly #onContinued = () => {
    setRaw(false)
    setRaw(true)
    this.#events.onResize()
  }
}

/** @returns whether there still is a terminal */
function setRaw(isRaw: boolean): boolean {
  try {
    // With a listener to errors it does not throw.
    return process.stdin.setRawMode(isRaw).isRaw === isRaw
  } catch {
    return false
  }
}

/** Node would abort when it exits: it expects that its terminal can be set back. */
function endWithoutTerminal(): void {
  const { pid } = process
  process.removeAllListeners('SIGHUP')
  if (pid > 1) process.kill(pid, 'SIGHUP')
}
