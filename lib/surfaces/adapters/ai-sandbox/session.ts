// The AI SDK's SandboxSession (experimental there) on this machine: commands by the exec tool, files as those reach them.

import { resolve } from 'node:path'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import { checkObject } from '../../../base/util/invalid-input.js'
import { execExitStatus } from '../../../tools/exec-result.js'
import {
  createExecTool,
  type ExecContext,
  type ExecToolOptions,
  execOptionNames,
} from '../../../tools/exec-tool.js'
import { ConfinedFiles } from '../confined-files/confined-files.js'
import { policiesFrom } from '../session-policy.js'
import { readingMethods, writingMethods } from './files.js'
import { type SpawnCall, spawn } from './spawn.js'

/** `timeout` is 24 hours by default, and the environment is given without its secrets. */
export type SandboxSessionOptions = ExecToolOptions & Pick<ExecContext, 'sandbox' | 'conversationId'>

export const sandboxOptionNames = [...execOptionNames, 'sandbox', 'conversationId'] as const

type RunCall = Parameters<SandboxSession['run']>[0]

const dayMs = 86_400_000

/**
 * `run` gives the first 1 MiB of each stream. The exit code of a command that a signal has ended is 128 + n, of one that
 * has timed out 124. The streams of `spawn` leave out what nobody reads in time, and say so. What commands cannot write or
 * read in Restricted mode, in Workspace mode or with a policy, the session's own methods refuse, too: each is a command in the
 * sandbox. What they give whole has 256 MiB at most.
 *
 * @param directory where relative paths begin, those of a policy too, and commands
 * @throws {BashError} ERR_INVALID_INPUT, ERR_WORKING_DIR
 */
export function sandboxSession(directory: string, options: SandboxSessionOptions = {}): SandboxSession {
  const checked: SandboxSessionOptions = checkObject('options', options, sandboxOptionNames)
  const { sandbox: asked, workspace: changes, conversationId, timeout = dayMs, env = {}, ...others } = checked
  const toolFor = (set: RunCall['env']) =>
    createExecTool({
      ...others,
      workspace,
      timeout,
      env: { inherit: 'filtered', ...env, set: { ...env.set, ...set } },
    })
  const cwd = resolve(directory)
  const { sandbox, workspace } = policiesFrom(cwd, asked, changes)
  const contextFor = ({ workingDirectory = '.', abortSignal }: RunCall) => ({
    workingDir: resolve(cwd, workingDirectory),
    sandbox,
    conversationId,
    cancel: abortSignal,
  })
  const { shellPath, required } = others
  const files = new ConfinedFiles({ cwd, sandbox, workspace, options: { env, shellPath, required } })
  return {
    description: toolFor({}).description({ workingDir: cwd, sandbox }),
    ...readingMethods(cwd, files),
    ...writingMethods(cwd, files),
    // Its type depends on the call's `stdin`.
    spawn: (call: RunCall & SpawnCall): Promise<never> =>
      spawn(toolFor(call.env), call, contextFor(call)) as Promise<never>,
    async run(call) {
      const result = await toolFor(call.env).execute({ command: call.command }, contextFor(call))
      call.abortSignal?.throwIfAborted()
      const { stdout, stderr, error } = result
      const note = error === undefined ? '' : `[${error}]\n`
      return { exitCode: execExitStatus(result), stdout, stderr: stderr + note }
    },
  }
}
