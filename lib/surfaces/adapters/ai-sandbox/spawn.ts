// A long-running process of a SandboxSession. Whatever it has started ends with it, or with this process.

import type { Writable } from 'node:stream'
import type { Experimental_SandboxProcess } from 'ai'
import { checkFlag } from '../../../base/util/invalid-input.js'
import { onAbort } from '../../../base/util/listeners.js'
import { part } from '../../../base/util/load-part.js'
import type * as InputPipes from '../../../commands/run/input-pipe.js'
import { humanizeBytes } from '../../../processes/output/bytes.js'
import { giveInput } from '../../../tools/call/given-input.js'
import { execExitStatus } from '../../../tools/exec-result.js'
import type { ExecContext, ExecTool } from '../../../tools/exec-tool.js'

const inputPipes = part((): typeof InputPipes => require('../../../commands/run/input-pipe.js'))

export interface SpawnCall {
  command: string
  abortSignal?: AbortSignal
  stdin?: boolean
}

/** As the SDK's, which does not export it. */
export interface WritableProcess extends Experimental_SandboxProcess {
  /** What is written when the process has ended fails with EPIPE. */
  readonly stdin: WritableStream<Uint8Array>
}

/**
 * Why a command could not start is the end of its stderr.
 *
 * @throws {BashError} ERR_INVALID_INPUT; ERR_SPAWN when there can be no pipe for its input
 */
export async function spawn(
  tool: ExecTool,
  { command, abortSignal, stdin }: SpawnCall,
  context: ExecContext,
): Promise<Experimental_SandboxProcess | WritableProcess> {
  const input = checkFlag('stdin', stdin) ? await inputPipes().openInputPipe() : undefined
  const killing = new AbortController()
  const release = onAbort(abortSignal, () => killing.abort())
  const [stdout, stderr] = [new OutputStream(), new OutputStream()]
  const onEvent: ExecContext['onEvent'] = (event) => {
    if (event.type !== 'output') return
    const { stream, text, dropped } = event
    if (stream === 'stderr') stderr.add(text, dropped)
    else stdout.add(text, dropped)
  }
  const call = { ...context, cancel: killing.signal, onEvent }
  if (input !== undefined) giveInput(call, input.descriptor)
  const ended = tool.execute({ command }, call).then((result) => {
    release()
    input?.close()
    if (result.error !== undefined) stderr.add(`[${result.error}]\n`)
    stdout.close()
    stderr.close()
    return { exitCode: execExitStatus(result) }
  })
  return {
    ...(input && { stdin: inputStream(input.writable) }),
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

/**
 * Node's own toWeb() leaves the pipe open when something that is no bytes is written: the stream takes nothing more then, and
 * the process would wait for the end of its input for ever.
 */
function inputStream(writable: Writable): WritableStream<Uint8Array> {
  const settle = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      act((error) => {
        // A socket that is destroyed meanwhile calls back without an error.
        const failure = writable.errored ?? error
        if (failure) reject(failure)
        else resolve()
      })
    })
  return new WritableStream({
    start(controller) {
      writable.on('error', (error) => controller.error(error))
    },
    async write(chunk) {
      try {
        await settle((done) => writable.write(chunk, done))
      } catch (error) {
        writable.destroy()
        throw error
      }
    },
    close: () => settle((done) => writable.end(done)),
    abort() {
      writable.destroy()
    },
  })
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
