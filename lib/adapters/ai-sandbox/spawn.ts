// A long-running process of a SandboxSession. Whatever it has started ends with it, or with this process.

import type { Experimental_SandboxProcess } from 'ai'
import { humanizeBytes } from '../../output/bytes.js'
import { execExitStatus } from '../../tools/exec-result.js'
import type { ExecContext, ExecTool } from '../../tools/exec-tool.js'
import { invalidInput } from '../../util/invalid-input.js'
import { onAbort } from '../../util/listeners.js'

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
  const [stdout, stderr] = [new OutputStream(), new OutputStream()]
  const onEvent: ExecContext['onEvent'] = (event) => {
    if (event.type !== 'output') return
    const { stream, text, dropped } = event
    if (stream === 'stderr') stderr.add(text, dropped)
    else stdout.add(text, dropped)
  }
  const ended = tool.execute({ command }, { ...context, cancel: killing.signal, onEvent }).then((result) => {
    release()
    if (result.error !== undefined) stderr.add(`[${result.error}]\n`)
    stdout.close()
    stderr.close()
    return { exitCode: execExitStatus(result) }
  })
  return {
    stdout: stdout.stream,
    stderr: stderr.stream,
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

const maxWaitingBytes = 1024 * 1024

/**
 * The live output of a command as a web stream. A reader that does not read costs no memory: what does not fit is left
 * out, and a line in the stream says how much.
 */
class OutputStream {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #skippedBytes = 0

  readonly stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => {
        this.#controller = undefined
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  )

  add(text: string, dropped = 0): void {
    const hasRoom = (this.#controller?.desiredSize ?? 0) > 0
    this.#skippedBytes += dropped + (hasRoom ? 0 : Buffer.byteLength(text))
    if (hasRoom) this.#controller?.enqueue(Buffer.from(this.#notice() + text))
  }

  close(): void {
    const notice = this.#notice()
    if (notice !== '') this.#controller?.enqueue(Buffer.from(notice))
    this.#controller?.close()
  }

  #notice(): string {
    const bytes = this.#skippedBytes
    this.#skippedBytes = 0
    return bytes === 0 ? '' : `\n[... ${humanizeBytes(bytes)} skipped ...]\n`
  }
}
