// What confines a session: its commands, its files, and what it runs on its own behalf.

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '../../run/build-result.js'
import { run } from '../../run/run.js'
import type { SandboxPolicy } from '../../sandbox/policy.js'
import { createBashTool } from '../../tools/bash-tool.js'
import { createTerminalTool } from '../../tools/terminal-tool.js'
import { quote } from '../../util/bash-quotes.js'
import { temporaryDirectory } from '../../util/directories.js'
import { systemDirectories } from '../../util/system-programs.js'
import { FileAccess } from '../file-access.js'
import { accessFor, policiesFrom } from '../session-policy.js'
import type { CheckedOptions } from './options.js'

/** What is allowed besides. */
interface More {
  /** Directories. */
  writable?: readonly string[]
  domains?: readonly string[]
}

type Policies = ReturnType<typeof policiesFrom>

/** A few lines of bash of our own, and what they are given as `$1`, `$2`, … */
export interface Script {
  text: string
  args: readonly string[]
  timeout: number
}

export class Confinement {
  /** The workspace, by its real name. */
  readonly root: string
  readonly #options: CheckedOptions
  readonly #policies: Policies

  /** @param granted directories that can be written besides the workspace */
  constructor(root: string, options: CheckedOptions, granted: readonly string[] = []) {
    const { sandbox, tool } = options
    this.root = root
    this.#options = options
    const policies = policiesFrom(root, sandbox, tool.workspace)
    this.#policies = granted.length === 0 ? policies : widened(policies, { writable: granted })
  }

  /** For the commands of the model. */
  get policies(): Policies {
    return this.#policies
  }

  /** What the methods of the session may open. */
  access(roots: readonly string[]): FileAccess {
    const { sandbox, workspace } = this.#policies
    const { env, shellPath } = this.#options.tool
    const confined = accessFor(this.root, sandbox, { env, shellPath, workspace })
    const writable = sandbox === 'restricted' ? [] : roots
    return confined ?? new FileAccess(() => ({ writable, unreadable: [] }))
  }

  /** What the host itself puts there: the entries of a manifest. */
  ownAccess(roots: readonly string[]): FileAccess {
    return new FileAccess(() => ({ writable: roots, unreadable: [] }))
  }

  /**
   * Runs a script with the rights of a command, and what it needs besides.
   *
   * @throws {BashError}
   */
  async runScript({ text, args, timeout }: Script, more: More = {}): Promise<RunResult> {
    const { sandbox, workspace } = widened(this.#policies, { writable: [this.root], ...more })
    const { required, scratch, env, shellPath } = this.#options.tool
    const isConfined = sandbox !== 'unrestricted'
    // A sandbox would confine what a command has put on PATH.
    const set: NodeJS.Dict<string> = isConfined ? {} : { PATH: systemDirectories.join(':') }
    return await run(`set -- ${args.map(quote).join(' ')}\n${text}`, {
      cwd: this.root,
      sandbox,
      ...(sandbox === 'workspace' && { workspace }),
      ...(isConfined && { required, scratch }),
      env: commandEnvironment(env, set),
      shellPath,
      timeout,
      survivors: 'kill',
      cancelSignal: this.#options.cancel,
    })
  }

  /** A directory of this process's own, for what goes into a script or comes out of it. */
  async withExchange<Value>(use: (directory: string) => Promise<Value>): Promise<Value> {
    const directory = await mkdtemp(join(temporaryDirectory(), 'bashward-exchange-'))
    try {
      return await use(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
}

export type ToolEnvironment = CheckedOptions['tool']['env']

/** Without the secrets of this process, and with what the session has. */
export function commandEnvironment(env: ToolEnvironment, set: NodeJS.Dict<string>): ToolEnvironment {
  return { inherit: 'filtered', ...env, set: { ...env?.set, ...set } }
}

export const toolWith = (options: CheckedOptions['tool'], set: NodeJS.Dict<string>) =>
  createBashTool({ ...options, env: commandEnvironment(options.env, set) })

/** For commands that have a terminal. */
export const terminalToolWith = (options: CheckedOptions['tool'], set: NodeJS.Dict<string>) =>
  createTerminalTool({ ...options, env: commandEnvironment(options.env, set) }, { rows: 24, cols: 100 })

function widened({ sandbox, workspace }: Policies, { writable = [], domains = [] }: More): Policies {
  const widen = (policy: Partial<SandboxPolicy>): SandboxPolicy => ({
    ...policy,
    writable: [...new Set([...(policy.writable ?? []), ...writable])],
    ...(domains.length > 0 && {
      network: { domains: [...new Set([...((policy.network || undefined)?.domains ?? []), ...domains])] },
    }),
  })
  if (sandbox === 'unrestricted') return { sandbox, workspace }
  if (sandbox === 'workspace') return { sandbox, workspace: widen(workspace ?? {}) }
  return { sandbox: widen(typeof sandbox === 'object' ? sandbox : {}), workspace: undefined }
}
