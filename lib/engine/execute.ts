// One command through the engine, from checked options to its result.

import { keptOutputBytes, maxOutputBytes } from '../output/truncate.js'
import { encodeLimits } from './limits.js'
import { liveView } from './live-view.js'
import { nativeEngine } from './native.js'
import type { ResolvedOptions } from './options.js'
import { blankResult, buildResult, type RunResult } from './result.js'
import { newSavePath } from './save-output.js'
import { findBash } from './shell.js'

const plainCapture = { headBytes: maxOutputBytes, tailBytes: keptOutputBytes }
/** Raw bytes kept where text is rendered first: a progress bar is much longer than what it leaves on the screen. */
const renderedCapture = { headBytes: 256 * 1024, tailBytes: 64 * 1024 }
/** The same, when the rest goes to a file: that begins behind the head, and has to begin before the text is cut. */
const savedRenderedCapture = { headBytes: maxOutputBytes, tailBytes: 192 * 1024 }

/**
 * Runs a command and resolves when it has ended.
 *
 * @throws {BashError} when it cannot be started
 */
export async function execute(command: string, options: ResolvedOptions): Promise<RunResult> {
  const startedAt = performance.now()
  const { encoded, removed } = options.environment.current()
  const finish = (result: RunResult): RunResult => {
    result.durationMs = performance.now() - startedAt
    result.removedEnv = [...removed]
    return result
  }
  if (options.cancelSignal?.aborted === true) return finish(blankResult(command, 'cancelled'))

  const engine = nativeEngine()
  const shell = options.shellPath ?? findBash()
  const savePath = options.saveOutput === undefined ? '' : newSavePath(options.saveOutput)
  const request = {
    shell,
    command,
    directory: options.cwd,
    environment: encoded,
    separateStreams: options.separateStreams,
    ...captureOf(options),
    timeoutMs: options.timeoutMs,
    graceMs: options.termGraceMs,
    killSurvivors: options.killSurvivors,
    savePath,
    saveLimit: options.saveOutput?.maxBytes ?? 0,
    limits: encodeLimits(options.limits),
  }
  return await new Promise<RunResult>((resolve, reject) => {
    const live = options.onOutput === undefined ? undefined : liveView(options.onOutput, options)
    const id = engine.start(
      request,
      (completion) => {
        options.cancelSignal?.removeEventListener('abort', cancel)
        live?.end()
        try {
          resolve(finish(buildResult({ command, options, shell, savePath }, completion)))
        } catch (error) {
          reject(error)
        }
      },
      live?.listener,
    )
    const cancel = () => engine.cancel(id)
    options.cancelSignal?.addEventListener('abort', cancel, { once: true })
  })
}

function captureOf({ normalizeOutput, saveOutput }: ResolvedOptions): typeof plainCapture {
  if (!normalizeOutput) return plainCapture
  return saveOutput === undefined ? renderedCapture : savedRenderedCapture
}
