// The addon: where it is, and what it offers. engine.ts and syntax-tree.ts give it to everything else in lib/.

import { AsyncResource } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BashError } from '../errors.js'
import type { CompletionFields, NativeOutputListener } from './call.js'

export interface Addon {
  start(
    texts: string[],
    numbers: number[],
    environment: Buffer,
    onCompletion: (...fields: CompletionFields) => void,
    onOutput: NativeOutputListener | undefined,
    prologue: Buffer | undefined,
  ): number
  signalProcess(pid: number, startTime: number, signal: number): number
  cancel(id: number): void
  environmentVersion(): number
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }
  sandboxSupport(): SandboxSupport
  parse(text: string, deadlineMs: number): Int32Array | null
  parseAsync(text: string, deadlineMs: number, onTree: (tree: Int32Array | null) => void): void
  syntaxNames(): { kinds: string[]; fields: string[] }
}

/** What the kernel has of the means of Restricted mode. */
export interface SandboxSupport {
  /** The version of Landlock's ABI, or the negative error number: -ENOSYS, -EOPNOTSUPP, -EPERM. */
  landlock: number
  /** Whether it confines signals. */
  signals: boolean
  /** Whether there are seccomp filters. */
  seccomp: boolean
}

/** The addon, and the absolute path of the supervisor that belongs to it. */
export interface LoadedAddon {
  addon: Addon
  supervisor: string
}

const packageRoot = join(__dirname, '..', '..')
let loaded: LoadedAddon | undefined

/**
 * The addon, loaded at the first call.
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM when it cannot be loaded; `cause` says why
 */
export function loadAddon(): LoadedAddon {
  // Loaded in the context in which this module was: the addon keeps the one it finds, for good.
  loaded ??= moduleContext.runInAsyncScope(load)
  return loaded
}

const moduleContext = new AsyncResource('bashward')

function load(): LoadedAddon {
  try {
    if (process.platform !== 'linux') throw new Error(`the engine needs Linux (this is ${process.platform})`)
    const nodeGypBuild = require('node-gyp-build') as { (root: string): Addon; path(root: string): string }
    const supervisor = join(dirname(nodeGypBuild.path(packageRoot)), 'bashward-supervisor')
    if (!existsSync(supervisor)) throw new Error(`${supervisor} is missing`)
    return { addon: nodeGypBuild(packageRoot), supervisor }
  } catch (cause) {
    // The first line says what is wrong; node-gyp-build's message goes on with where it has looked.
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new BashError(
      'ERR_UNSUPPORTED_PLATFORM',
      `bashward's native engine cannot be loaded: ${reason}; in a checkout, build it with: npm run build`,
      {
        cause,
      },
    )
  }
}
