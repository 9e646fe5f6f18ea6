// What confines a session: its commands, its files, and what it runs on its own behalf.

import type { FileHandle } from 'node:fs/promises'
import { quote } from '../../../base/util/bash-quotes.js'
import { systemDirectories } from '../../../base/util/system-programs.js'
import type { RunResult } from '../../../commands/run/build-result.js'
import { resolveOptions } from '../../../commands/run/options.js'
import { execution } from '../../../commands/run/run.js'
import type { SandboxPolicy } from '../../../guard/sandbox/policy.js'
import { createBashTool } from '../../../tools/bash-tool.js'
import { createTerminalTool } from '../../../tools/terminal-tool.js'
import { ConfinedFiles, type Place } from '../confined-files/confined-files.js'
import { policiesFrom } from '../session-policy.js'
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
  /** Of what it writes. Default: as commands have it. */
  maxFileBytes?: number
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

  /**
   * The files of the session.
   *
   * @param readable directories that can be read
   * @param writable that can be written where commands can write anywhere
   */
  files(readable: () => readonly string[], writable: readonly string[]): ConfinedFiles {
    const { sandbox } = this.#policies
    return new ConfinedFiles(this.#place(this.#policies), {
      readable,
      ...(sandbox === 'unrestricted' && { writable: () => writable }),
    })
  }

  /** For what the host itself puts into the workspace: the entries of a manifest. */
  ownFiles(): ConfinedFiles {
    const place = this.#place(widened(this.#policies, { writable: [this.root] }))
    return new ConfinedFiles(place, { writable: () => [this.root] })
  }

  #place({ sandbox, workspace }: Policies): Place {
    const { env, shellPath, required } = this.#options.tool
    return { cwd: this.root, sandbox, workspace, options: { env, shellPath, required } }
  }

  /**
   * Runs a script with the rights of a command, and what it needs besides.
   *
   * @param input what its descriptor 0 is, for reading and for writing. Default: nothing
   * @throws {BashError}
   */
  async runScript(script: Script, more: More = {}, input?: FileHandle): Promise<RunResult> {
    const { text, args, timeout, maxFileBytes } = script
    const { sandbox, workspace } = widened(this.#policies, { writable: [this.root], ...more })
    const { required, scratch, env, shellPath } = this.#options.tool
    const isConfined = sandbox !== 'unrestricted'
    // A sandbox would confine what a command has put on PATH.
    const set: NodeJS.Dict<string> = isConfined ? {} : { PATH: systemDirectories.join(':') }
    const options = resolveOptions({
      cwd: this.root,
      sandbox,
      ...(sandbox === 'workspace' && { workspace }),
      ...(isConfined && { required, scratch }),
      env: commandEnvironment(env, set),
      shellPath,
      timeout,
      ...(maxFileBytes !== undefined && { limits: { fileSizeBytes: maxFileBytes } }),
      survivors: 'kill',
      cancelSignal: this.#options.cancel,
    })
    const command = `set -- ${args.map(quote).join(' ')}\n${text}`
    return await execution().execute(command, { ...options, input: input?.fd })
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
