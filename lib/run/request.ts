// What the engine is asked for, from checked options.

import type { CommandRequest, JobPlan, RestrictedPlan } from '../engine/engine.js'
import type { EncodedEnvironment } from '../environment/command-environment.js'
import { encodeLimits } from '../sandbox/resource-limits.js'
import { newScratchDirectory } from '../sandbox/scratch.js'
import type { ResolvedOptions } from './options.js'
import { newSavePath } from './save-output.js'
import { findBash } from './shell.js'

/** Where the prologue finds the BASH_ENV of the command. bash takes the last of two variables of a name. */
const userFileVariable = '__bashward_env'

/** @throws {BashError} ERR_SPAWN when there is no bash */
export function buildRequest(
  command: string,
  options: ResolvedOptions,
  environment: EncodedEnvironment,
  job: JobPlan | undefined = options.adoption,
): CommandRequest {
  const { cwd, session, saveOutput, output, sandbox } = options
  const restricted = sandbox === 'restricted' ? planRestriction(options) : undefined
  return {
    shell: options.shellPath ?? findBash(),
    command,
    directory: cwd,
    environment: completeEnvironment(environment, {
      cwd,
      scratchDirectory: restricted?.scratchDirectory ?? '',
      prologueDescriptor: session?.prologueDescriptor,
    }),
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
    limits: encodeLimits(options.limits, sandbox),
    restricted,
  }
}

function planRestriction({ scratch }: ResolvedOptions): RestrictedPlan {
  return scratch === undefined
    ? { scratchDirectory: '', scratchLimit: 0, probe: false }
    : { scratchDirectory: newScratchDirectory(scratch), scratchLimit: scratch.maxBytes, probe: false }
}

interface CallVariables {
  cwd: string
  scratchDirectory: string
  /** Of a session. bash reads what BASH_ENV names before the command. */
  prologueDescriptor: number | undefined
}

/** With PWD bash keeps the name by which a directory was given, where a symbolic link is part of it. */
function completeEnvironment(
  { encoded, withoutPwd, bashEnv }: EncodedEnvironment,
  { cwd, scratchDirectory, prologueDescriptor }: CallVariables,
): Buffer {
  let added = withoutPwd ? `PWD=${cwd}\0` : ''
  if (scratchDirectory !== '') added += `TMPDIR=${scratchDirectory}\0`
  if (prologueDescriptor !== undefined) {
    if (bashEnv !== undefined) added += `${userFileVariable}=${bashEnv}\0`
    added += `BASH_ENV=/dev/fd/${prologueDescriptor}\0`
  }
  return added === '' ? encoded : Buffer.concat([encoded, Buffer.from(added)])
}
