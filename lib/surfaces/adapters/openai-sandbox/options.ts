// The options of openaiSandbox(), and what a session keeps of them.

import type { LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local'
import { temporaryDirectory } from '../../../base/util/directories.js'
import {
  checkAbortSignal,
  checkAbsolutePath,
  checkInteger,
  checkObject,
  invalidInput,
} from '../../../base/util/invalid-input.js'
import { type BashToolOptions, bashOptionNames, createBashTool } from '../../../tools/bash-tool.js'
import type { ToolContext } from '../../../tools/types.js'
import { givenDirectory } from '../given-directory.js'

type LeftOut = 'calls' | 'backgroundAfter' | 'timeouts'

export interface OpenaiSandboxOptions
  extends Omit<BashToolOptions, LeftOut>,
    Pick<ToolContext, 'sandbox' | 'cancel'> {
  /** The workspace: an absolute path of a directory that exists, and is never removed. Default: a new one for each session. */
  workingDir?: string | undefined
  /** Where those are made. An absolute path; default: the directory for temporary files. */
  baseDirectory?: string | undefined
  /** Milliseconds for each command, 1…86400000; what goes on after its call is counted too. Default 86400000 (24 hours). */
  timeout?: number | undefined
  /** Ports that `resolveExposedPort` gives. Default: any. */
  exposedPorts?: readonly number[] | undefined
  /** As that of the SDK's local client. Default: a file in `$XDG_STATE_HOME/bashward/openai-sandbox`. */
  snapshot?: LocalSandboxSnapshotSpec | undefined
}

export interface CheckedOptions {
  workingDir: string | undefined
  baseDirectory: string
  sandbox: NonNullable<ToolContext['sandbox']>
  cancel: AbortSignal | undefined
  exposedPorts: number[]
  snapshot: LocalSandboxSnapshotSpec | undefined
  tool: BashToolOptions
}

const leftOut: readonly string[] = ['calls', 'backgroundAfter', 'timeouts'] satisfies LeftOut[]
const ownNames = ['workingDir', 'baseDirectory', 'sandbox', 'cancel', 'timeout', 'exposedPorts', 'snapshot']
const names = [...ownNames, ...bashOptionNames.filter((name) => !leftOut.includes(name))]

const dayMs = 86_400_000

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSandboxOptions(given: unknown): CheckedOptions {
  const options = checkObject('options', given, names) as OpenaiSandboxOptions
  const { workingDir, baseDirectory, sandbox = 'workspace', cancel, exposedPorts = [], ...others } = options
  const { timeout = dayMs, snapshot, env, ...tool } = others
  if (workingDir !== undefined) checkAbsolutePath('options.workingDir', workingDir)
  if (baseDirectory !== undefined) checkAbsolutePath('options.baseDirectory', baseDirectory)
  checkInteger('options.timeout', timeout, [1, dayMs], 'milliseconds')
  if (!Array.isArray(exposedPorts)) {
    throw invalidInput('options.exposedPorts', 'must be an array of ports', exposedPorts)
  }
  for (const port of exposedPorts) checkInteger('options.exposedPorts', port, [1, 65_535])
  checkAbortSignal('options.cancel', cancel)
  const toolOptions = { ...tool, env, timeouts: { default: timeout, slow: timeout, background: timeout } }
  // What is wrong with them is told now, and not to a model.
  createBashTool(toolOptions)
  return {
    workingDir,
    baseDirectory: givenDirectory('options.baseDirectory', baseDirectory ?? temporaryDirectory()),
    sandbox,
    cancel,
    exposedPorts: [...exposedPorts],
    snapshot,
    tool: toolOptions,
  }
}
