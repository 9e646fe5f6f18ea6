// A long-running process of a SandboxSession. Whatever it has started ends with it, or with this process.

import type { Experimental_SandboxProcess } from 'ai'
import { execExitStatus } from '../../tools/exec-result.js'
import type { ExecContext, ExecTool } from '../../tools/exec-tool.js'
import { invalidInput } from '../../util/invalid-input.js'
import { onAbort } from '../../util/listeners.js'
import { OutputStreams } from './output-streams.js'

export interface SpawnCall {
  command: string
  abortSignal?: AbortSignal
  stdin?: boolean
}

/** Rejects with ERR_INVALID_INPUT when input is asked for. Why a command could not start is the end of its stderr. */
export async function spawn(
  tool: ExecTool,
  { command, abortSignal, stdin = false }: SpawnCall,
  context: ExecContext,
): Promise<Experimental_SandboxProcess> {
  if (stdin) throw invalidInput('stdin', 'must be false: commands get no input', stdin)
  const killing = new AbortController()
  const release = onAbort(abortSignal, () => killing.abort())
  const streams = new OutputStreams()
  const onEvent: ExecContext['onEvent'] = (event) => {
    if (event.type === 'output') streams.add(event)
  }
  const ended = tool.execute({ command }, { ...context, cancel: killing.signal, onEvent }).then((result) => {
    release()
    if (result.error !== undefined) streams.stderr.add(`[${result.error}]\n`)
    streams.close()
    return { exitCode: execExitStatus(result) }
  })
  return {
    stdout: streams.stdout.stream,
    stderr: streams.stderr.stream,
    async wait() {
      const end = await ended
      abortSignal?.throwIfAborted()
      return end
    },
    async kill() {
      killing.abort()
      await ended
    },
  }
}
