// openaiSandbox(): a SandboxClient of the OpenAI Agents SDK, whose sessions are directories of this machine.

import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { lstat, mkdtemp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type {
  Manifest,
  SandboxClient,
  SandboxClientCreateArgs,
  SandboxClientOptions,
  SandboxClientResumeOptions,
  SandboxSessionSerializationOptions,
} from '@openai/agents/sandbox'
import { removeTree } from '../../../base/util/remove-tree.js'
import { givenDirectory } from '../given-directory.js'
import { unpackArchive } from './archive.js'
import { checkManifest, materialize } from './manifest.js'
import { type CheckedOptions, checkSandboxOptions, type OpenaiSandboxOptions } from './options.js'
import type { Sdk } from './sdk.js'
import { OpenaiSandboxSession } from './session.js'
import { checkSnapshotSpec, loadSnapshot, removeSnapshot, saveSnapshot } from './snapshots.js'
import { type OpenaiSandboxState, ownFields } from './state.js'
import { archiveOfWorkspace, changedManifest, confinementOf } from './workspace.js'

type Wide = SandboxClientOptions
type CreateArgs = SandboxClientCreateArgs<Wide>
type ResumeOptions = SandboxClientResumeOptions<Wide>

const workspacePattern = /^bashward-openai-[A-Za-z0-9]{6}$/
/** The root of a manifest that says nothing about it. */
const defaultRoot = '/workspace'

/** @returns the function `openaiSandbox` of `bashward/openai` */
export function bindOpenaiSandbox(load: () => Promise<Sdk>) {
  /**
   * A sandbox client for `run(agent, input, { sandbox: { client } })`. Commands and files of its sessions are confined by
   * Workspace mode, unless `sandbox` says otherwise: what is in the workspace can be changed, and nothing else.
   *
   * It begins to load the SDK's sandbox: call it before the first command, where commands can write to the SDK.
   *
   * @throws {BashError} ERR_INVALID_INPUT for a wrong option
   */
  return function openaiSandbox(options: OpenaiSandboxOptions = {}): OpenaiSandboxClient {
    return new OpenaiSandboxClient(load, options)
  }
}

/** Sessions reject with the SDK's SandboxError; what is wrong with options is a BashError. */
export class OpenaiSandboxClient implements SandboxClient<Wide, OpenaiSandboxState> {
  readonly backendId = 'bashward'
  readonly supportsDefaultOptions = true
  readonly #sdk: Promise<Sdk>
  readonly #given: OpenaiSandboxOptions
  readonly #options: CheckedOptions

  constructor(load: () => Promise<Sdk>, options: OpenaiSandboxOptions) {
    this.#options = checkSandboxOptions(options)
    this.#given = options
    // Before the first command: it may be able to change what is loaded.
    this.#sdk = load()
    // Told to whoever waits for it.
    this.#sdk.catch(() => {})
  }

  /** @throws {SandboxError} and BashError: ERR_WORKING_DIR, ERR_SANDBOX_UNAVAILABLE, … when no command could run */
  async create(args?: CreateArgs | Manifest, manifestOptions?: Wide): Promise<OpenaiSandboxSession> {
    const sdk = await this.#sdk
    const { sandbox } = sdk
    const { manifest, snapshot, archiveLimits, ...more } = sandbox.normalizeSandboxClientCreateArgs(
      args,
      manifestOptions,
    )
    const options = this.#with(more.options)
    const snapshotSpec = (snapshot ?? options.snapshot ?? null) as OpenaiSandboxState['snapshotSpec']
    checkSnapshotSpec(sandbox, snapshotSpec)
    checkManifest(sandbox, manifest)
    const { workingDir } = options
    const root =
      workingDir === undefined
        ? await newWorkspace(options)
        : givenDirectory('options.workingDir', workingDir)
    const state: OpenaiSandboxState = {
      manifest: withRootOf(manifest, options),
      workspaceRootPath: root,
      workspaceRootOwned: workingDir === undefined,
      environment: {},
      snapshotSpec,
      snapshot: null,
      configuredExposedPorts: options.exposedPorts,
      conversationId: `openai-sandbox-${randomUUID()}`,
      commands: {},
    }
    try {
      state.environment = await manifest.resolveEnvironment()
      const confinement = confinementOf(state, options)
      await proveUsable(sdk, confinement)
      await materialize({ sdk: sandbox, confinement }, manifest.entries, manifest.extraPathGrants)
      return new OpenaiSandboxSession({ sdk, options, state, archiveLimits })
    } catch (error) {
      if (state.workspaceRootOwned) await removeTree(root).catch(() => {})
      throw error
    }
  }

  /** The state as JSON can have it, with a snapshot of the workspace where that would be gone otherwise. */
  async serializeSessionState(
    state: OpenaiSandboxState,
    how: SandboxSessionSerializationOptions = {},
  ): Promise<Record<string, unknown>> {
    const sdk = await this.#sdk
    const { NoopSnapshotSpec } = sdk.sandbox
    const { snapshotSpec, snapshot: previous } = state
    // A session that lives on has its files still; only a store of the host's is for other machines.
    const isKept = how.preserveOwnedSession === true && how.willCloseAfterSerialize !== true
    const isLocal = snapshotSpec === null || snapshotSpec.type === 'local'
    const isNeeded = isLocal ? state.workspaceRootOwned && !isKept : true
    if (isNeeded) {
      const archive = () => archiveOfWorkspace(sdk, state, this.#options)
      state.snapshot = await saveSnapshot(sdk.sandbox, snapshotSpec, archive)
      if (previous?.id !== state.snapshot?.id) await removeSnapshot(snapshotSpec, previous)
    }
    // What of a manifest and an environment may be written down is for the SDK to say.
    const common = await this.#serializer(sdk).serializeSessionState({
      ...state,
      snapshotSpec: new NoopSnapshotSpec(),
      snapshot: null,
    })
    const { type, baseDir, id } = (snapshotSpec ?? {}) as Record<string, unknown>
    return {
      ...common,
      snapshotSpec: snapshotSpec && { type, baseDir, id },
      snapshot: state.snapshot,
      conversationId: state.conversationId,
      commands: structuredClone(state.commands),
    }
  }

  resolveTrustedManifestForResume(manifest: Manifest, options?: Wide): Manifest {
    return withRootOf(manifest, this.#with(options))
  }

  async deserializeSessionState(record: Record<string, unknown>): Promise<OpenaiSandboxState> {
    const sdk = await this.#sdk
    const common = await this.#serializer(sdk).deserializeSessionState(record)
    const { conversationId = `openai-sandbox-${randomUUID()}`, commands } = ownFields(record)
    return {
      ...common,
      snapshotSpec: common.snapshotSpec ?? this.#options.snapshot ?? null,
      snapshot: common.snapshot ?? null,
      configuredExposedPorts: common.configuredExposedPorts ?? [],
      conversationId,
      commands,
    }
  }

  /**
   * Goes on in the workspace, where that still is, as it is now; else in a new one, made of the snapshot.
   *
   * @throws {SandboxError} also for a workspace that is none of this client's
   */
  async resume(
    state: OpenaiSandboxState,
    { archiveLimits, clientOptions }: ResumeOptions = {},
  ): Promise<OpenaiSandboxSession> {
    const sdk = await this.#sdk
    const options = this.#with(clientOptions)
    checkManifest(sdk.sandbox, state.manifest)
    const isThere = await this.#isWorkspace(sdk, state, options)
    const data = isThere ? undefined : await loadSnapshot(state.snapshotSpec, state.snapshot)
    if (!isThere && data === undefined) {
      throw new sdk.sandbox.SandboxSnapshotError(
        `The workspace ${state.workspaceRootPath} is gone, and there is no snapshot of it`,
        { provider: 'bashward' },
        'snapshot_not_restorable',
      )
    }
    const root = isThere ? state.workspaceRootPath : await newWorkspace(options)
    const resumed = {
      ...state,
      workspaceRootPath: root,
      configuredExposedPorts: options.exposedPorts,
    }
    try {
      const confinement = confinementOf(resumed, options)
      await proveUsable(sdk, confinement)
      if (data !== undefined) await unpackArchive(sdk.sandbox, confinement, data, archiveLimits)
      return new OpenaiSandboxSession({ sdk, options, state: resumed, archiveLimits })
    } catch (error) {
      if (!isThere) await removeTree(root).catch(() => {})
      throw error
    }
  }

  /** Removes what is left of a session that nobody goes on with: its commands, its workspace, its snapshot. */
  async delete(state: OpenaiSandboxState): Promise<void> {
    const sdk = await this.#sdk
    if (await this.#isWorkspace(sdk, state, this.#options)) {
      await new OpenaiSandboxSession({ sdk, options: this.#options, state, archiveLimits: undefined }).close()
    }
    await removeSnapshot(state.snapshotSpec, state.snapshot)
    state.snapshot = null
  }

  /** Its own options, and those of one run. */
  #with(more: Wide | undefined): CheckedOptions {
    return more === undefined ? this.#options : checkSandboxOptions({ ...this.#given, ...more })
  }

  #serializer({ local }: Sdk) {
    const { snapshot } = this.#options
    return new local.UnixLocalSandboxClient(snapshot && { snapshot })
  }

  /**
   * Whether the workspace is there. What a state says may have been changed: a directory is taken, and removed in the end,
   * only where this client would have made it.
   */
  async #isWorkspace(
    { sandbox: { SandboxConfigurationError } }: Sdk,
    { workspaceRootPath: path, workspaceRootOwned }: OpenaiSandboxState,
    { workingDir, baseDirectory }: CheckedOptions,
  ): Promise<boolean> {
    const isOwn = workspaceRootOwned
      ? dirname(path) === baseDirectory && workspacePattern.test(basename(path))
      : workingDir !== undefined && givenDirectory('options.workingDir', workingDir) === path
    if (!isOwn) {
      throw new SandboxConfigurationError(`${path} is no workspace of this client`, { provider: 'bashward' })
    }
    const found = await lstat(path).catch((error) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
    return found?.isDirectory() === true && found.uid === process.geteuid?.()
  }
}

const newWorkspace = ({ baseDirectory }: CheckedOptions): Promise<string> =>
  mkdtemp(join(baseDirectory, 'bashward-openai-'))

/** A directory that was given has its own name, for models too; what is made for a session has that of the manifest. */
function withRootOf(manifest: Manifest, { workingDir }: CheckedOptions): Manifest {
  const isNamed = workingDir !== undefined && manifest.root === defaultRoot
  return isNamed ? changedManifest(manifest, { root: realpathSync(workingDir) }) : manifest
}

/** Where no command can be confined as it is asked for, there is no session. */
async function proveUsable(
  { sandbox: { SandboxProviderError } }: Sdk,
  confinement: ReturnType<typeof confinementOf>,
): Promise<void> {
  const { status, output, error } = await confinement.runScript({ text: ':', args: [], timeout: 60_000 })
  if (status === 'completed') return
  throw new SandboxProviderError(`No command can run in this sandbox: ${error?.message ?? output}`, {
    provider: 'bashward',
    ...(error && { code: error.code }),
  })
}
