// What ends a command from outside: a signal to the program, or nobody left to read the output.

import { signalStatus } from './exit-status.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export class Cancellation {
  readonly #controller = new AbortController()
  #exitStatus: number | undefined

  /** Aborted by the first {@link cancel}. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit status that the first {@link cancel} asked for. */
  get exitStatus(): number | undefined {
    return this.#exitStatus
  }

  cancel(exitStatus: number): void {
    this.#exitStatus ??= exitStatus
    this.#controller.abort()
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
}

function exitAtOnce(status: number): never {
  // A terminal shows ^C where the cursor was, and the shell's prompt would follow it.
  if (process.stderr.isTTY) process.stderr.write('\n')
  process.exit(status)
}
