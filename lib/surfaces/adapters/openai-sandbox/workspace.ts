// A workspace and its manifest: what may be written, what is archived, and what differs in another manifest.

import type { Manifest } from '@openai/agents/sandbox'
import { archiveOf } from './archive.js'
import { Confinement } from './confinement.js'
import type { CheckedOptions } from './options.js'
import type { Sdk } from './sdk.js'
import type { OpenaiSandboxState } from './state.js'

type State = Pick<OpenaiSandboxState, 'manifest' | 'workspaceRootPath'>

const grantedRoots = ({ manifest }: State): string[] =>
  manifest.extraPathGrants.filter(({ readOnly }) => !readOnly).map(({ path }) => path)

export const writableRoots = (state: State): string[] => [state.workspaceRootPath, ...grantedRoots(state)]

export const confinementOf = (state: State, options: CheckedOptions): Confinement =>
  new Confinement(state.workspaceRootPath, options, grantedRoots(state))

/** Without what the manifest calls ephemeral. */
export const archiveOfWorkspace = (sdk: Sdk, state: OpenaiSandboxState, options: CheckedOptions) =>
  archiveOf(sdk.sandbox, confinementOf(state, options), state.manifest.ephemeralPersistencePaths())

/** A manifest that differs in these fields, of the same copy of the SDK. */
export function changedManifest(
  manifest: Manifest,
  changes: Partial<Pick<Manifest, 'root' | 'entries' | 'environment' | 'extraPathGrants'>>,
): Manifest {
  const { version, users, groups, remoteMountCommandAllowlist } = manifest
  const { root, entries, environment, extraPathGrants } = { ...manifest, ...changes }
  const init = Object.entries(environment).map(([name, value]) => [name, value.init()])
  return new (manifest.constructor as typeof Manifest)({
    ...{ version, root, entries: structuredClone(entries), users, groups, extraPathGrants },
    environment: Object.fromEntries(init),
    remoteMountCommandAllowlist,
  })
}
