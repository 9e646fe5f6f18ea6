// What the engine is asked for, from checked options.

import type { EncodedEnvironment } from '../environment/command-environment.js'
import { encodeLimits } from './limits.js'
import type { JobPlan, NativeRequest } from './native.js'
import type { ResolvedOptions } from './options.js'
import { newSavePath } from './save-output.js'
import { findBash } from './shell.js'

/** Descriptor 200 of the shell is the prologue: bash reads BASH_ENV before the command. */
const prologueVariable = 'BASH_ENV=/dev/fd/200\0'

/** @throws {BashError} ERR_SPAWN when there is no bash */
export function buildRequest(
  command: string,
  options: ResolvedOptions,
  environment: EncodedEnvironment,
  job: JobPlan | undefined = options.adoption,
): NativeRequest {
  const { cwd, session, saveOutput, output } = options
  return {
    shell: options.shellPath ?? findBash(),
    command,
    directory: cwd,
    environment: completeEnvironment(environment, cwd, session !== undefined),
    separateStreams: options.separateStreams,
    headBytes: output.headBytes,
    tailBytes: output.tailBytes,
    timeoutMs: options.timeoutMs,
    graceMs: options.termGraceMs,
    killSurvivors: options.killSurvivors,
    savePath: saveOutput === undefined ? '' : newSavePath(saveOutput),
    saveLimit: saveOutput?.maxBytes ?? 0,
    background: false,
    job,
    session,
    limits: encodeLimits(options.limits),
  }
}

/** With PWD bash keeps the name by which a directory was given, where a symbolic link is part of it. */
function completeEnvironment(
  { encoded, withoutDirectories }: EncodedEnvironment,
  cwd: string,
  session: boolean,
): Buffer {
  const added = `${withoutDirectories ? `PWD=${cwd}\0` : ''}${session ? prologueVariable : ''}`
  return added === '' ? encoded : Buffer.concat([encoded, Buffer.from(added)])
}
