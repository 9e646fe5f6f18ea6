// A SandboxSession of the OpenAI Agents SDK on this machine: commands by the bash tool, files by what its policy allows.

import { stat } from 'node:fs/promises'
import type { Editor } from '@openai/agents'
import type {
  Entry,
  ExecCommandArgs,
  ExposedPortEndpoint,
  ListDirectoryArgs,
  Manifest,
  MaterializeEntryArgs,
  ReadFileArgs,
  SandboxArchiveLimits,
  SandboxDirectoryEntry,
  SandboxExecResult,
  SandboxSession,
  ViewImageArgs,
  WorkspaceArchiveData,
  WorkspaceArchiveOptions,
  WriteStdinArgs,
} from '@openai/agents/sandbox'
import { BashError } from '../../../base/errors.js'
import { onAbort } from '../../../base/util/listeners.js'
import { removeTree } from '../../../base/util/remove-tree.js'
import { unpackArchive } from './archive.js'
import { Commands } from './commands.js'
import type { Confinement } from './confinement.js'
import { Files } from './files.js'
import { checkManifest, materialize } from './manifest.js'
import type { CheckedOptions } from './options.js'
import { responseText } from './response.js'
import type { Sdk } from './sdk.js'
import type { OpenaiSandboxState } from './state.js'
import { archiveOfWorkspace, changedManifest, confinementOf, writableRoots } from './workspace.js'

interface Parts {
  sdk: Sdk
  options: CheckedOptions
  state: OpenaiSandboxState
  archiveLimits: SandboxArchiveLimits | null | undefined
}

/** Rejects with the SDK's SandboxError, or with the system's error for a file. */
export class OpenaiSandboxSession implements SandboxSession<OpenaiSandboxState> {
  readonly state: OpenaiSandboxState
  readonly #sdk: Sdk
  readonly #options: CheckedOptions
  readonly #commands: Commands
  #confinement: Confinement
  #files: Files
  #archiveLimits: SandboxArchiveLimits | null | undefined
  /** Changes of the manifest, one after the other. */
  #lastChange: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined
  readonly #release: () => void

  constructor({ sdk, options, state, archiveLimits }: Parts) {
    this.state = state
    this.#sdk = sdk
    this.#options = options
    this.#commands = new Commands({ sdk: sdk.sandbox, options, state })
    this.#confinement = confinementOf(state, options)
    this.#files = this.#filesOf(this.#confinement)
    this.#archiveLimits = archiveLimits
    this.#release = onAbort(options.cancel, () => {
      this.#commands.stop().catch(() => {})
    })
  }

  setArchiveLimits(limits?: SandboxArchiveLimits | null): void {
    this.#sdk.sandbox.validateSandboxArchiveLimits(limits)
    this.#archiveLimits = limits
  }

  /** Whether commands can go on after their call, and have a terminal: the SDK offers `write_stdin` only then. */
  supportsPty(): boolean {
    return Commands.canGoOn
  }

  async exec(args: ExecCommandArgs): Promise<SandboxExecResult> {
    this.#check(args.runAs)
    return await this.#commands.exec(args, this.#files.resolve(args.workdir).path, this.#confinement)
  }

  async execCommand(args: ExecCommandArgs): Promise<string> {
    return await this.#told('exec_command', async () => responseText(await this.exec(args)))
  }

  /** Reads what a command has printed since, types into its terminal, or ends it. */
  async writeStdin(args: WriteStdinArgs): Promise<string> {
    this.#check()
    return await this.#told('write_stdin', async () => {
      const told = await this.#commands.poll(args, this.#confinement)
      return told === undefined
        ? failure('write_stdin', `session not found: ${args.sessionId}`)
        : responseText(told)
    })
  }

  async readFile({ path, runAs, maxBytes }: ReadFileArgs): Promise<Uint8Array> {
    this.#check(runAs)
    return await this.#files.read(path, maxBytes)
  }

  async listDir({ path, runAs }: ListDirectoryArgs): Promise<SandboxDirectoryEntry[]> {
    this.#check(runAs)
    return await this.#files.list(path)
  }

  async pathExists(path: string, runAs?: string): Promise<boolean> {
    this.#check(runAs)
    return await this.#files.exists(path)
  }

  async directoryExists(path: string, runAs?: string): Promise<boolean> {
    this.#check(runAs)
    return await this.#files.exists(path, true)
  }

  async viewImage(args: ViewImageArgs) {
    this.#check(args.runAs)
    return await this.#files.image(args)
  }

  createEditor(runAs?: string): Editor {
    this.#check(runAs)
    // What a manifest grants may change.
    const editor = (): Editor => {
      this.#check()
      return this.#files.editor()
    }
    return {
      createFile: async (operation) => await editor().createFile(operation),
      updateFile: async (operation) => await editor().updateFile(operation),
      deleteFile: async (operation) => await editor().deleteFile(operation),
    }
  }

  async materializeEntry({ path, entry, runAs }: MaterializeEntryArgs): Promise<void> {
    this.#check(runAs)
    const { relative = path } = this.#files.resolve(path)
    await this.#change({ [relative]: structuredClone(entry) }, {})
  }

  async applyManifest(manifest: Manifest, runAs?: string): Promise<void> {
    this.#check(runAs)
    const { entries, environment, extraPathGrants } = this.#sdk.sandbox.cloneManifest(manifest)
    await this.#change(entries, { environment, extraPathGrants })
  }

  /** A tar archive of the workspace, without what the manifest calls ephemeral. */
  async persistWorkspace(): Promise<Uint8Array> {
    this.#check()
    return await archiveOfWorkspace(this.#sdk, this.state, this.#options)
  }

  async hydrateWorkspace(data: WorkspaceArchiveData, options: WorkspaceArchiveOptions = {}): Promise<void> {
    this.#check()
    const { archiveLimits = this.#archiveLimits } = options
    await unpackArchive(this.#sdk.sandbox, this.#confinement, data, archiveLimits)
  }

  async resolveExposedPort(port: number): Promise<ExposedPortEndpoint> {
    this.#check()
    const { normalizeExposedPort, recordExposedPortEndpoint, SandboxExposedPortUnavailableError } =
      this.#sdk.sandbox
    const exposed = normalizeExposedPort(port)
    const { configuredExposedPorts: ports } = this.state
    if (ports.length > 0 && !ports.includes(exposed)) {
      throw new SandboxExposedPortUnavailableError(
        `exposedPorts: ${exposed} is not among ${ports.join(', ')}`,
        {
          port: exposed,
          configuredPorts: ports,
        },
      )
    }
    return recordExposedPortEndpoint(this.state, { host: '127.0.0.1', port: exposed, tls: false })
  }

  async running(): Promise<boolean> {
    if (this.#closing !== undefined) return false
    return await stat(this.state.workspaceRootPath).then(
      (found) => found.isDirectory(),
      () => false,
    )
  }

  /** Kills all commands, with everything they have started. The workspace stays. */
  async stop(): Promise<void> {
    await this.#commands.stop()
  }

  async shutdown(): Promise<void> {
    await this.close()
  }

  async delete(): Promise<void> {
    await this.close()
  }

  /** Ends the session: its commands, and the workspace that was made for it. */
  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  /** Of what a tool throws the SDK tells the model nothing: it reads why nothing ran as a command's output. */
  async #told(name: string, call: () => Promise<string>): Promise<string> {
    try {
      return await call()
    } catch (error) {
      const { SandboxError, SandboxLifecycleError } = this.#sdk.sandbox
      const isKnown = error instanceof SandboxError || error instanceof BashError
      if (!isKnown || error instanceof SandboxLifecycleError) throw error
      return failure(name, error.message)
    }
  }

  async #close(): Promise<void> {
    this.#release()
    await this.#commands.stop()
    if (this.state.workspaceRootOwned) await removeTree(this.state.workspaceRootPath).catch(unlessMissing)
  }

  async #change(
    entries: Record<string, Entry>,
    { environment = {}, extraPathGrants = [] }: Partial<Pick<Manifest, 'environment' | 'extraPathGrants'>>,
  ): Promise<void> {
    const change = this.#lastChange.then(async () => {
      const { manifest } = this.state
      const next = changedManifest(manifest, {
        entries: { ...manifest.entries, ...entries },
        environment: { ...manifest.environment, ...environment },
        extraPathGrants: [
          ...manifest.extraPathGrants.filter(
            ({ path }) => !extraPathGrants.some((each) => each.path === path),
          ),
          ...extraPathGrants,
        ],
      })
      checkManifest(this.#sdk.sandbox, next)
      const confinement = confinementOf({ ...this.state, manifest: next }, this.#options)
      const parts = { sdk: this.#sdk.sandbox, confinement }
      await materialize(parts, entries, next.extraPathGrants)
      for (const [name, value] of Object.entries(environment)) {
        this.state.environment[name] = await value.resolve()
      }
      this.state.manifest = next
      this.#confinement = confinement
      this.#files = this.#filesOf(confinement)
    })
    this.#lastChange = change.catch(() => {})
    await change
  }

  #filesOf(confinement: Confinement): Files {
    const readable = () => [confinement.root, ...this.state.manifest.extraPathGrants.map(({ path }) => path)]
    const files = confinement.files(readable, writableRoots(this.state))
    return new Files(this.#sdk, files, confinement.root, () => this.state.manifest)
  }

  /** Commands and files are this user's. */
  #check(runAs?: string): void {
    const { SandboxLifecycleError, SandboxUnsupportedFeatureError } = this.#sdk.sandbox
    if (this.#closing !== undefined) {
      throw new SandboxLifecycleError('The sandbox session is closed', { provider: 'bashward' })
    }
    if (runAs !== undefined && runAs !== '') {
      const why = 'must be left out: commands run as the user of this process'
      throw new SandboxUnsupportedFeatureError(`runAs: ${why} (got ${JSON.stringify(runAs)})`, {
        provider: 'bashward',
        feature: 'runAs',
      })
    }
  }
}

const failure = (name: string, why: string): string =>
  responseText({ output: `${name} failed: ${why}`, wallTimeSeconds: 0, exitCode: 1 })

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
