// One command through the engine, from checked options to its result.

import { AsyncResource } from 'node:async_hooks'
import { provenEngine } from '../engine/choose.js'
import { simplifyCommand } from '../output/simplify-command.js'
import { requireSandbox } from '../sandbox/requirements.js'
import { onAbort } from '../util/listeners.js'
import { blankResult } from './blank-result.js'
import { buildResult, type RunResult } from './build-result.js'
import { elapsedMs } from './elapsed.js'
import { liveView } from './live-view.js'
import type { ResolvedOptions } from './options.js'
import { buildRequest } from './request.js'

/**
 * Runs a command and resolves when it has ended.
 *
 * @throws {BashError} when it cannot be started
 */
export async function execute(command: string, options: ResolvedOptions): Promise<RunResult> {
  const startedAt = performance.now()
  const { sandbox } = options
  if (sandbox === 'restricted') await requireSandbox(options.required)
  const { engine } = await provenEngine()
  const environment = options.environment.current()
  const finish = (result: RunResult): RunResult => {
    result.durationMs = elapsedMs(startedAt)
    result.removedEnv = [...environment.removed]
    result.display = simplifyCommand(command, options.cwd, environment.home)
    return result
  }
  if (options.cancelSignal?.aborted === true) return finish(blankResult(command, 'cancelled', sandbox))

  const { onOutput, separateStreams, output, cancelSignal, session } = options
  const request = buildRequest(command, options, environment)
  return await new Promise<RunResult>((resolve, reject) => {
    // The engine calls back from a context of its own: AsyncLocalStorage is to see the caller's.
    const live =
      onOutput === undefined
        ? undefined
        : liveView(AsyncResource.bind(onOutput), separateStreams, output.normalize)
    let release = () => {}
    const id = engine.start(
      request,
      (completion) => {
        try {
          release()
          live?.end()
          session?.onState(completion.state)
          resolve(finish(buildResult(request, options, completion)))
        } catch (error) {
          reject(error)
        }
      },
      live?.listener,
    )
    try {
      release = onAbort(cancelSignal, () => engine.cancel(id))
    } catch (error) {
      engine.cancel(id)
      reject(error)
    }
  })
}
