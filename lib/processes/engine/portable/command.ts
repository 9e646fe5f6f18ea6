// One foreground command from its start to its completion.

import { closeSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { timeLimit } from '../../../base/util/time-limit.js'
import { type Completion, Outcome } from '../completion.js'
import type { OutputListener } from '../engine.js'
import type { CommandRequest } from '../request.js'
import { CommandOutput } from './command-output.js'
import { asStepError, completionOf } from './completion.js'
import { helper } from './helper.js'
import { ProcessGroup } from './process-group.js'
import { type Shell, startShell } from './start-shell.js'
import { openPipes, type Pipe } from './temporary.js'

// As the native engine has them. After the shell's end, how long its children may keep the result waiting with more
// output; and when nobody holds that any more, how long children that were about to end get to do so.
const drainMs = 100
const settleMs = 25
/** How long the shell's own end may be behind that of its group. */
const exitMs = 1_000

type Exited = NonNullable<Completion['exited']>
type KillOutcome = Outcome.timedOut | Outcome.cancelled

export class Command {
  readonly #request: CommandRequest
  readonly #onOutput: OutputListener | undefined
  #killedBy: KillOutcome | undefined
  #onKill = () => {}
  readonly #killed = new Promise<undefined>((resolve) => {
    this.#onKill = () => resolve(undefined)
  })
  #endLimit = () => {}
  #shell: Shell | undefined

  constructor(request: CommandRequest, onOutput: OutputListener | undefined) {
    this.#request = request
    this.#onOutput = onOutput
  }

  /** Never rejects. */
  async run(): Promise<Completion> {
    const { timeoutMs } = this.#request
    if (timeoutMs > 0) this.#endLimit = timeLimit(timeoutMs, () => this.#kill(Outcome.timedOut))
    try {
      const pipes = await openPipes(this.#request.separateStreams ? 2 : 1)
      const shell = await this.#start(pipes)
      if (shell === undefined) return completionOf({ outcome: this.#killedBy ?? Outcome.cancelled })
      return await this.#attend(shell, new CommandOutput(pipes, this.#request, this.#onOutput))
    } catch (error) {
      const { step, errno } = asStepError(error)
      return completionOf({ outcome: Outcome.notStarted, step, errno })
    } finally {
      this.#endLimit()
    }
  }

  cancel(): void {
    this.#kill(Outcome.cancelled)
  }

  /** Nothing happens when the shell has ended, even if Node has not told of it yet. */
  #kill(outcome: KillOutcome): void {
    if (this.#shell?.hasEnded()) return
    this.#killedBy ??= outcome
    this.#onKill()
  }

  /** @returns undefined when it is not to run any more */
  async #start(pipes: readonly Pipe[]): Promise<Shell | undefined> {
    let shell: Shell | undefined
    try {
      const [out = -1, err = out] = pipes.map(({ writer }) => writer)
      if (this.#killedBy === undefined) shell = await startShell(this.#request, [out, err])
    } finally {
      for (const { reader, writer } of pipes) {
        closeSync(writer)
        if (shell === undefined) closeSync(reader)
      }
    }
    return shell
  }

  async #attend(shell: Shell, output: CommandOutput): Promise<Completion> {
    this.#shell = shell
    const { pid } = shell
    const group = new ProcessGroup(pid)
    helper.watch(pid)
    const startedAt = performance.now()
    const exit = new Promise<Exited>((resolve) => {
      shell.child.once('exit', (code, signal) => {
        this.#endLimit()
        // Everything written before the shell's end is in the pipes now.
        output.readAvailable()
        resolve(exitedBy(code, signal, startedAt))
      })
    })
    let exited = await Promise.race([exit, this.#killed])
    const outcome = exited === undefined ? (this.#killedBy ?? Outcome.cancelled) : Outcome.ended
    if (exited === undefined) {
      await group.end(this.#request.graceMs)
      exited = await Promise.race([exit, delay(exitMs, undefined, { ref: false })])
      output.readAvailable()
    } else {
      await settle(group, output)
      const isAlone = output.ended && group.isGone()
      if (this.#request.killSurvivors && !isAlone) await group.end(this.#request.graceMs)
    }
    return completionOf({ outcome, pid, exited, ...(await this.#leave(shell, group, output, outcome)) })
  }

  /** What the command has left: processes, output, the state of a session. */
  async #leave(
    shell: Shell,
    group: ProcessGroup,
    output: CommandOutput,
    outcome: Outcome,
  ): Promise<Partial<Completion>> {
    const state = shell.takeState()
    const holdsOutput = !output.ended
    const left = holdsOutput || !group.isGone() ? group.members() : []
    const survivors = left.map(({ pid, command }) => ({ pid, command, daemon: false, holdsOutput }))
    helper.forget(group.pgid)
    // Also a daemon that is not found may hold it, but not one of a command that was killed.
    if (outcome === Outcome.ended) output.letGo()
    else output.close()
    const captured = await output.captured()
    return { ...captured, survivors, state: outcome === Outcome.ended ? state : undefined }
  }
}

/** Waits for children that still print, or that are about to end. */
async function settle(group: ProcessGroup, output: CommandOutput): Promise<void> {
  const start = performance.now()
  if (!output.ended) await Promise.race([output.end, delay(drainMs, undefined, { ref: false })])
  const left = drainMs - (performance.now() - start)
  if (output.ended && left > 0) await group.gone(Math.min(settleMs, left))
}

/** Node tells nothing of a real-time signal: that looks like exit code 0. */
function exitedBy(code: number | null, signal: NodeJS.Signals | null, startedAt: number): Exited {
  const mostCpuMs = (performance.now() - startedAt) * availableParallelism()
  return signal === null
    ? { exitCode: code ?? 0, signal: 0, usage: undefined, mostCpuMs }
    : { exitCode: -1, signal: constants.signals[signal], usage: undefined, mostCpuMs }
}
