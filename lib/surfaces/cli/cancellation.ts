// What ends a command from outside: a signal to the program, or nobody left to read the output.

import { signalStatus } from '../../commands/run/exit-status.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How long a cancelled program waits for a reader that does not read, milliseconds. */
const patienceMs = 1000

export class Cancellation {
  readonly #command = new AbortController()
  readonly #output = new AbortController()
  #exitStatus: number | undefined
  #hasEnded = false

  /** Aborted by the first {@link cancel}. */
  get signal(): AbortSignal {
    return this.#command.signal
  }

  /** Aborted some time after both that and the end of the command: output that nobody has taken by then is given up. */
  get outputSignal(): AbortSignal {
    return this.#output.signal
  }

  /** The exit status that the first {@link cancel} asked for. */
  get exitStatus(): number | undefined {
    return this.#exitStatus
  }

  cancel(exitStatus: number): void {
    if (this.#exitStatus !== undefined) return
    this.#exitStatus = exitStatus
    this.#command.abort()
    if (this.#hasEnded) this.#limitPatience()
  }

  /** To be called when the command has ended, and all that is left is to print. */
  commandEnded(): void {
    this.#hasEnded = true
    if (this.#exitStatus !== undefined) this.#limitPatience()
  }

  /**
   * Cancels at SIGINT, SIGTERM and SIGHUP. The command is in a session of its own, where no key of the terminal reaches
   * it. Killing it may take seconds when it ignores SIGTERM; the second signal does not wait for that: once this
   * process is gone, the supervisor kills everything at once.
   *
   * @returns a function that gives the signals their own meaning back
   */
  listenToSignals(): () => void {
    const onSignal = (signal: NodeJS.Signals) => {
      if (this.#exitStatus === undefined) this.cancel(signalStatus(signal))
      else exitAtOnce(this.#exitStatus)
    }
    for (const signal of signals) process.on(signal, onSignal)
    return () => {
      for (const signal of signals) process.off(signal, onSignal)
    }
  }

  #limitPatience(): void {
    setTimeout(() => this.#output.abort(), patienceMs).unref()
  }
}

function exitAtOnce(status: number): never {
  // A terminal shows ^C where the cursor was, and the shell's prompt would follow it.
  if (process.stderr.isTTY) process.stderr.write('\n')
  process.exit(status)
}
