// Snapshots of a workspace: in a file of this user's, or wherever a store of the host's keeps them.

import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RemoteSnapshotSpec } from '@openai/agents/sandbox'
import type { LocalSandboxSnapshot, LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local'
import { makeDirectories } from '../../../base/util/directories.js'
import { withDirectory } from '../../../base/util/held-directory.js'
import { part } from '../../../base/util/load-part.js'
import { ownState } from '../../../base/util/own-state.js'
import { openOwnFile } from '../../../base/util/regular-file.js'
import type * as LedDirectory from '../../../guard/sandbox/led-directory.js'
import type { Sdk } from './sdk.js'

const directories = part((): typeof LedDirectory => require('../../../guard/sandbox/led-directory.js'))

type Spec = LocalSandboxSnapshotSpec | null | undefined
type Snapshot = LocalSandboxSnapshot | null

const filePattern = /^workspace-[0-9a-f-]{36}\.tar$/

/** @throws {SandboxConfigurationError} for a kind that there is not */
export function checkSnapshotSpec(sdk: Sdk['sandbox'], spec: { type: string } | null | undefined): void {
  if (spec == null || spec.type === 'local' || sdk.isNoopSnapshotSpec(spec) || isRemote(spec)) return
  throw new sdk.SandboxConfigurationError(
    `snapshot: must be local, noop, or remote with a store (got ${spec.type})`,
    {
      provider: 'bashward',
    },
  )
}

/** @returns null where none is to be kept */
export async function saveSnapshot(
  sdk: Sdk['sandbox'],
  spec: Spec,
  archive: () => Promise<Uint8Array>,
): Promise<Snapshot> {
  if (sdk.isNoopSnapshotSpec(spec)) return null
  if (isRemote(spec)) {
    const { id, store, metadata } = spec
    const saved = await store.save({
      data: await archive(),
      ...(id !== undefined && { id }),
      ...(metadata && { metadata }),
    })
    return { id: saved.id, type: 'remote', ...(saved.metadata && { metadata: saved.metadata }) }
  }
  makeDirectories(directoryOf(spec), 0o700)
  const bytes = await archive()
  const id = randomUUID()
  const name = `workspace-${id}.tar`
  // A command may have led it elsewhere meanwhile.
  const directory = directoryOf(spec)
  const write = (inside: string) => writeFile(join(inside, name), bytes, { mode: 0o600, flag: 'wx' })
  await withDirectory(directory, write)
  return { id, type: 'local', path: join(directory, name) }
}

/** @returns undefined when there is no such snapshot, or not where snapshots of this kind are */
export async function loadSnapshot(spec: Spec, snapshot: Snapshot): Promise<Uint8Array | undefined> {
  if (snapshot?.type === 'remote' && isRemote(spec)) {
    return (await spec.store.load({ id: snapshot.id })).data
  }
  if (snapshot?.type !== 'local') return undefined
  const file = await withOurs(spec, snapshot.path, (path) => openOwnFile(path).catch(unlessMissing))
  if (file === undefined) return undefined
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** One that is gone is no failure. */
export async function removeSnapshot(spec: Spec, snapshot: Snapshot): Promise<void> {
  if (snapshot?.type === 'remote') {
    if (isRemote(spec)) await spec.store.delete?.({ id: snapshot.id })
  } else if (snapshot !== null) {
    await withOurs(spec, snapshot.path, (path) => rm(path, { force: true }))
  }
}

function isRemote(spec: { type: string; store?: unknown } | null | undefined): spec is RemoteSnapshotSpec {
  const { save, load } = (spec?.store ?? {}) as Partial<RemoteSnapshotSpec['store']>
  return spec?.type === 'remote' && typeof save === 'function' && typeof load === 'function'
}

/** Without symbolic links. */
function directoryOf(spec: Spec): string {
  const given = spec?.type === 'local' ? spec.baseDir : undefined
  const state = typeof given === 'string' ? given : ownState()
  if (state === undefined) throw new Error('snapshot.baseDir: must be given where there is no home directory')
  const directory = typeof given === 'string' ? given : join(state, 'openai-sandbox')
  const { real, refusal } = directories().ledDirectory(directory)
  if (refusal === undefined) return real
  throw new Error(`snapshot.baseDir: ${directory} cannot have snapshots: ${refusal}`)
}

/**
 * A state that was serialized may name any file: only what this host would write itself is read and removed.
 *
 * @returns what `use` gives; undefined, and unused, for any other file
 */
async function withOurs<Value>(
  spec: Spec,
  path: unknown,
  use: (path: string) => Promise<Value>,
): Promise<Value | undefined> {
  if (typeof path !== 'string' || !filePattern.test(basename(path))) return undefined
  const directory = directoryOf(spec)
  if (dirname(path) !== directory) return undefined
  return await withDirectory(directory, (inside) => use(join(inside, basename(path)))).catch(unlessMissing)
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
