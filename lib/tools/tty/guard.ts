// Whether something may be typed: never an answer to a question for a secret, and into a shell only what may run as a command.

import { readlink } from 'node:fs/promises'
import { BashError } from '../../base/errors.js'
import { homeDirectory } from '../../base/util/directories.js'
import type { Job } from '../../commands/jobs/job.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import { checkWith } from '../../guard/safety/check-command.js'
import type { Judgement } from '../../guard/verdicts/judgement.js'
import { hasVariable } from '../../processes/environment/command-environment.js'
import type { JobTerminal } from '../../terminals/terminal/job-terminal.js'
import { secretAsked } from '../../terminals/terminal/secret-prompt.js'
import type { TerminalState } from '../../terminals/terminal/state.js'
import type { ToolParts } from '../call/call.js'
import type { ResolvedContext } from '../context.js'
import { optionsFor } from '../modes.js'
import type { TypedInput, TypedRefusal } from '../verdicts/permit.js'
import { permits } from '../verdicts/permits.js'
import { lookAtCursor } from './cursor.js'
import { emptyLine, joined, recallsHistory, type TypedLine } from './line.js'
import { readTyped, type TypedRecord, writeTyped } from './record.js'
import { holdsShell, type Kind, kindOfProcess } from './shell.js'
import { areFree, hasText, type Typed, type Typing, typed } from './typing.js'

export interface GuardParts extends Pick<ToolParts, 'modes' | 'safety' | 'verdicts'> {
  redact: ReadJobOptions['redact']
}

export interface Guarded {
  /** Undefined: it may be typed. */
  refusal?: TypedRefusal | undefined
  judgement?: Judgement
}

/** One call, and the terminal that it types into. */
export class Guard {
  readonly #parts: GuardParts
  readonly #job: Job
  readonly #terminal: JobTerminal
  readonly #typing: Typing
  #record: TypedRecord | undefined

  constructor(parts: GuardParts, job: Job, terminal: JobTerminal, typing: Typing) {
    this.#parts = parts
    this.#job = job
    this.#terminal = terminal
    this.#typing = typing
  }

  /**
   * Looks, judges, asks, and looks again. What it permits is noted as typed.
   *
   * @throws {BashError} ERR_TERMINAL when another program reads by then
   */
  async permit(state: TerminalState, context: ResolvedContext<never>): Promise<Guarded> {
    const secret = await this.#secretRefusal(state)
    if (secret !== undefined) return { refusal: secret }
    const record = await this.#readRecord()
    const given = this.#given(record, state)
    const guarded =
      areFree(this.#typing) && given.submitted.length === 0
        ? {}
        : await this.#judge(state, record, given, context)
    if (guarded.refusal !== undefined) return guarded
    await this.#lookAgain(state, record)
    if (record.hasShell) {
      // Until it is typed, and if it is not: what stands there is what stood there, or more.
      writeTyped(this.#job, { ...record, line: { ...given.line, isKnown: false } })
      this.#record = { ...record, line: given.line }
    }
    return guarded
  }

  /** What was permitted has been typed. */
  noteTyped(): void {
    if (this.#record !== undefined) writeTyped(this.#job, this.#record)
  }

  /** What would be decided. Nobody is asked. */
  async judge(state: TerminalState, context: ResolvedContext<never>): Promise<Judgement | undefined> {
    const { verdicts, safety } = this.#parts
    if (verdicts === undefined) return undefined
    const secret = await this.#secretRefusal(state)
    if (secret !== undefined) return deniedBy(secret, state)
    const record = await this.#readRecord()
    const { submitted } = this.#given(record, state)
    if (areFree(this.#typing) && submitted.length === 0) return undefined
    const input = await this.#typedInput(state, record, submitted, context)
    return await permits().judgeTyped(input, context, verdicts, safety)
  }

  async #secretRefusal(state: TerminalState): Promise<TypedRefusal | undefined> {
    if (!hasText(this.#typing)) return undefined
    const { line, screen } = await lookAtCursor(this.#job, this.#terminal, state, this.#parts.redact)
    const asked = secretAsked({ verdict: state.verdict, cursorLine: line }, screen)
    if (asked === undefined) return undefined
    return { rule: 'secret', message: 'a secret is asked; it is not yours to type' }
  }

  /** Together with what stands in the line, and alone: another program may have read that, as less has read `q`. */
  #given({ line }: TypedRecord, state: TerminalState): Typed {
    const whole = typed(line, this.#typing, state)
    if (line.text === '') return whole
    const { submitted, doubtful } = typed(emptyLine, this.#typing, state)
    const { line: after } = whole
    return {
      submitted: [...whole.submitted, ...submitted],
      doubtful: [...whole.doubtful, ...doubtful],
      line: after,
    }
  }

  async #readRecord(): Promise<TypedRecord> {
    const record = readTyped(this.#job)
    return record.hasShell ? record : { ...record, hasShell: await holdsShell(this.#job) }
  }

  async #judge(
    state: TerminalState,
    record: TypedRecord,
    { submitted, doubtful }: Typed,
    context: ResolvedContext<never>,
  ): Promise<Guarded> {
    const { verdicts, safety } = this.#parts
    if (verdicts === undefined) {
      if (!record.hasShell) return {}
      return { refusal: await this.#check(state, [...submitted, ...doubtful], context) }
    }
    const input = await this.#typedInput(state, record, submitted, context)
    const judgement = await permits().judgeTyped(input, context, verdicts, safety)
    return { judgement, refusal: await permits().permitTyped(input, judgement, context, verdicts) }
  }

  /** Against the safety rules, as a command. */
  async #check(
    state: TerminalState,
    lines: readonly TypedLine[],
    context: ResolvedContext<never>,
  ): Promise<TypedRefusal | undefined> {
    const { safety } = this.#parts
    if (safety === undefined) return undefined
    const kind = await this.#reader(state)
    // A screen has no line that keys could have made another: what is typed counts. A shell has one also there.
    const isScreen = kind === 'relay' && state.altScreen
    for (const line of lines) {
      const isLost = !line.isKnown && (kind === 'other' || (isScreen && line.isCut !== true))
      if (!line.isKnown && !isLost) {
        return { rule: 'unknown-line', message: unknownBecause(line) }
      }
      if (kind !== 'other' && !isScreen && recallsHistory(joined(line))) {
        return { rule: 'unknown-line', message: recalled }
      }
      for (const command of isLost && kind === 'other' ? [this.#typing.text] : readings(line)) {
        const options = { ...(await this.#place(state, context)), rules: safety.rules, lastRules: [] }
        const { allowed, rule, message } = await checkWith(command, options)
        if (!allowed) return { rule, message }
      }
    }
    return undefined
  }

  async #typedInput(
    state: TerminalState,
    { hasShell }: TypedRecord,
    submitted: readonly TypedLine[],
    context: ResolvedContext<never>,
  ): Promise<TypedInput> {
    const { record } = this.#job
    const { text, submit, keys } = this.#typing
    const kind = hasShell ? await this.#reader(state) : 'other'
    const isPlain = (line: TypedLine) => line.isKnown && !recallsHistory(joined(line))
    const isKnown = hasShell && submitted.length > 0 && submitted.every(isPlain)
    return {
      text,
      submit,
      keys,
      program: state.program ?? '',
      command: record?.command ?? '',
      workingDir: record?.workingDir ?? '/',
      jobId: this.#job.id,
      commands: isKnown ? submitted.flatMap(readings) : undefined,
      isShell: kind === 'shell' && keys.length === 0,
      isConfined: record?.sandbox !== undefined,
      place: await this.#place(state, context),
    }
  }

  /** Of a terminal within this one, the program in that is another one's. What nobody reads yet, a shell may read later. */
  async #reader({ verdict, pid, nested }: TerminalState): Promise<Kind> {
    if (pid === undefined || nested || !readVerdicts.has(verdict)) return 'relay'
    return await kindOfProcess(pid)
  }

  async #place(
    { pid }: TerminalState,
    context: ResolvedContext<never>,
  ): Promise<{ workingDir: string; home: string; hasVariable: (name: string) => boolean }> {
    const { environment: asked, scratch } = optionsFor(this.#parts.modes, context)
    const environment = asked.current()
    const now = pid === undefined ? undefined : await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    return {
      workingDir: now ?? this.#job.record?.workingDir ?? '/',
      home: environment.home ?? homeDirectory(),
      hasVariable: (name) => hasVariable(environment, scratch, name),
    }
  }

  /** Between the look and the typing somebody may have been asked. */
  async #lookAgain(before: TerminalState, { hasShell }: TypedRecord): Promise<void> {
    if (areFree(this.#typing)) return
    const now = await this.#terminal.state()
    const isJudged = hasShell || this.#parts.verdicts !== undefined
    const isAnother = isJudged && reader.some((name) => now[name] !== before[name])
    if (!isAnother && (now.verdict !== 'password' || before.verdict === 'password')) return
    throw new BashError('ERR_TERMINAL', 'nothing was typed: what reads it now is not what was looked at')
  }
}

function deniedBy({ rule, message }: TypedRefusal, { program = '' }: TerminalState): Judgement {
  const match = { start: 0, end: 0, text: '' }
  const reason = { rule, match, program, effect: 'unknown', message } as const
  return { decision: 'deny', reasons: [reason], suggestion: null, repository: false }
}

/** What says which process reads. */
const reader = ['pid', 'startTime', 'foreground', 'nested'] as const

const readVerdicts: ReadonlySet<string> = new Set(['line', 'keys', 'password', 'watching'])

const recalled =
  'what the shell makes of the `!` or `^` in it is not known. Type the command itself, or quote it with single quotes.'
const unknownLine =
  'what stands in the line of the shell is not known any more, as keys have changed it. Press C-c, and type the command as one text.'
const cutLine =
  'how the line of the shell begins is not known any more. Press C-c, and type the command as one text, of at most 65,536 characters.'
const keptLine =
  'what stands in the line of the shell is not known any more, and C-c may not drop it, as a command has changed that. End it, and start another one.'

const unknownBecause = ({ isCut, keepsAtInterrupt }: TypedLine): string =>
  keepsAtInterrupt === true ? keptLine : isCut === true ? cutLine : unknownLine

/** Alone and behind the lines before it, as whether these are open is not certain. */
const readings = (line: TypedLine): string[] => [...new Set([line.text, joined(line)])]
