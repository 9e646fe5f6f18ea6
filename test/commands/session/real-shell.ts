// Runs the calls of a session with a real bash, as the engine does: the prologue at descriptor 200, the state file
// at descriptor 201.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BashError } from '../../../lib/base/errors.js'
import {
  BashSession,
  type BashSessionOptions,
  type SessionCallOptions,
} from '../../../lib/commands/session/bash-session.js'
import type { SessionOutcome } from '../../../lib/commands/session/session-mode.js'
import { tempDir } from '../../support/temp-dir.js'
import { runIn } from './run-in.js'

/** The bash under test; `npm run test:bashes` names others. */
export const bashPath = process.env.BASHWARD_TEST_BASH ?? 'bash'

export interface ShellOutcome {
  end: SessionOutcome['end']
  state: Buffer | undefined
  stdout: string
  stderr: string
  /** Both, as bytes. */
  bytes: Buffer
  exitCode: number | null
  signal: string | null
}

export interface ShellRunOptions extends SessionCallOptions {
  env?: Record<string, string>
  /** What the state file holds when the host reads it, made from what the shell has written. */
  tamper?: (state: Buffer) => Buffer
  takes?: SessionOutcome['takes']
}

export type CallResult = ShellOutcome & { unsaved: string | undefined; isFresh: boolean }

const launcher =
  'cd -- "$1" 2>&- || exit 99; shift; unset OLDPWD; exec 200<"$1" 201<"$2"; BASH_ENV=/dev/fd/200 exec -a bash "$4" --norc -c -- "$3"'

/** A session whose calls run in a bash with a small environment. */
export class ShellSession {
  readonly session: BashSession
  readonly #files = tempDir()
  #serial = 0

  constructor(options: Partial<BashSessionOptions> | BashSession = {}) {
    this.session =
      options instanceof BashSession ? options : new BashSession({ workingDir: tempDir(), ...options })
  }

  /** Runs a command; rejects when it was cancelled before it began. */
  async run(command: string, options: ShellRunOptions = {}): Promise<CallResult> {
    const { tamper: _, env: __, takes, ...fields } = options
    const call = await runIn(this.session, fields, async ({ cwd, prologue }) => {
      this.#serial += 1
      const dir = join(this.#files, String(this.#serial))
      mkdirSync(dir)
      writeFileSync(join(dir, 'prologue'), prologue)
      writeFileSync(join(dir, 'state'), '')
      const outcome = await launch(
        [cwd, join(dir, 'prologue'), join(dir, 'state'), command, bashPath],
        options,
      )
      if (outcome.exitCode === 99 && outcome.stderr === '') {
        throw new BashError('ERR_WORKING_DIR', `chdir ${cwd}: ENOENT (no such file or directory)`, {
          step: 'chdir',
          errno: 2,
          path: cwd,
        })
      }
      const state = readFileSync(join(dir, 'state'))
      return { ...outcome, state: options.tamper?.(state) ?? state, takes }
    })
    if (call === undefined) throw new Error('cancelled before it began')
    return { ...call.outcome, unsaved: call.unsaved, isFresh: call.isFresh === true }
  }

  /** What a command prints; fails when the call printed errors or left the session unsaved. */
  async output(command: string, options: ShellRunOptions = {}): Promise<string> {
    const { stdout, stderr, unsaved } = await this.run(command, options)
    expect({ stderr, unsaved }).toEqual({ stderr: '', unsaved: undefined })
    return stdout
  }
}

const launch = (
  args: string[],
  { env = {}, cancelSignal }: ShellRunOptions,
): Promise<Omit<ShellOutcome, 'state'>> =>
  new Promise((resolve, reject) => {
    const child = spawn(bashPath, ['--norc', '-c', launcher, 'bash', ...args], {
      env: { PATH: process.env.PATH, HOME: '/', LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      ...(cancelSignal === undefined ? {} : { signal: cancelSignal }),
    })
    const chunks: Buffer[] = []
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      stderr += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (exitCode, signal) =>
      resolve({
        end: signal === null ? 'exited' : 'signalled',
        stdout,
        stderr,
        bytes: Buffer.concat(chunks),
        exitCode,
        signal,
      }),
    )
  })
