// The entries of a manifest, put into the workspace: in the sandbox of the session, so that no command can lead them elsewhere.

import { join, posix } from 'node:path'
import type { Dir, Entry, GitRepo, LocalDir, LocalFile, Manifest } from '@openai/agents/sandbox'
import type { ConfinedFiles, Content } from '../confined-files/confined-files.js'
import type { Confinement } from './confinement.js'
import { cloneRepository } from './repository.js'
import type { Sdk } from './sdk.js'
import { Source, SourceRefusal } from './sources.js'

interface Parts {
  sdk: Sdk['sandbox']
  confinement: Confinement
}

/**
 * What a session of this kind cannot have.
 *
 * @throws {SandboxError} naming it
 */
export function checkManifest(sdk: Sdk['sandbox'], manifest: Manifest): void {
  const refuse = (feature: string, why: string) => {
    throw new sdk.SandboxUnsupportedFeatureError(`${feature}: ${why}`, { provider: 'bashward', feature })
  }
  const { users, groups, extraPathGrants, root } = manifest
  if (root === '/') refuse('manifest.root', 'must be a directory below /')
  if (users.length > 0) refuse('manifest.users', 'commands run as the user of this process')
  if (groups.length > 0) refuse('manifest.groups', 'commands run as the user of this process')
  for (const { path, hostPath } of extraPathGrants) {
    if (hostPath !== undefined && hostPath !== path) {
      refuse('manifest.extraPathGrants.hostPath', `${path} has the same path for commands`)
    }
  }
  for (const { logicalPath, entry } of manifest.iterEntries()) {
    if (sdk.isMount(entry)) {
      const grants = 'list a directory in extraPathGrants instead'
      refuse('mount', `${logicalPath}: nothing is mounted in a local workspace; ${grants}`)
    }
    if (entry.group !== undefined) refuse('group', `${logicalPath}: files belong to the user of this process`)
  }
}

/** Puts entries where they belong, one after the other. */
export async function materialize(
  { sdk, confinement }: Parts,
  entries: Readonly<Record<string, Entry>>,
  grants: Manifest['extraPathGrants'],
): Promise<void> {
  const files = confinement.ownFiles()
  for (const [path, entry] of Object.entries(entries)) {
    await new Placing(sdk, files, confinement, grants).place(sdk.normalizeRelativePath(path), entry)
  }
}

class Placing {
  readonly #sdk: Sdk['sandbox']
  readonly #files: ConfinedFiles
  readonly #confinement: Confinement
  readonly #grants: Manifest['extraPathGrants']

  constructor(
    sdk: Sdk['sandbox'],
    files: ConfinedFiles,
    confinement: Confinement,
    grants: Manifest['extraPathGrants'],
  ) {
    this.#sdk = sdk
    this.#files = files
    this.#confinement = confinement
    this.#grants = grants
  }

  /** @param path relative to the workspace, normalized; empty for the workspace itself */
  async place(path: string, entry: Entry): Promise<void> {
    const mode = this.#sdk.permissionsForSandboxEntry(entry.permissions).toMode() & 0o1777
    switch (entry.type) {
      case 'dir':
        return await this.#directory(path, entry, mode)
      case 'file':
        return await this.#file(path, entry.content, mode)
      case 'local_file':
        return await this.#localFile(path, entry, mode)
      case 'local_dir':
        return await this.#localDirectory(path, entry, mode)
      case 'git_repo':
        return await this.#repository(path, entry)
      default:
        throw new this.#sdk.SandboxUnsupportedFeatureError(`${entry.type}: ${path} is not supported`, {
          path,
        })
    }
  }

  async #directory(path: string, { children = {} }: Dir, mode: number): Promise<void> {
    await this.#makeDirectory(path)
    for (const [name, child] of Object.entries(children)) {
      await this.place(posix.join(path, this.#sdk.normalizeRelativePath(name)), child)
    }
    await this.#makeDirectory(path, mode)
  }

  /** The workspace keeps its mode. */
  async #makeDirectory(path: string, mode?: number): Promise<void> {
    await this.#files.makeDirectory(this.#target(path), path === '' ? undefined : mode)
  }

  async #file(path: string, content: Content, mode: number): Promise<void> {
    await this.#files.write(this.#target(path), content, { mode })
  }

  async #localFile(path: string, { src }: LocalFile, mode: number): Promise<void> {
    await this.#withSource('local_file', src, async (source) => {
      if (!(await source.kind()).isFile) throw this.#refuse('local_file', src, 'is not a file')
      await this.#file(path, source.content(), mode)
    })
  }

  async #localDirectory(path: string, { src }: LocalDir, mode: number): Promise<void> {
    await this.#withSource('local_dir', src, async (source) => {
      if (!(await source.kind()).isDirectory) throw this.#refuse('local_dir', src, 'is not a directory')
      await this.#copyDirectory(path, src, source)
    })
    await this.#makeDirectory(path, mode)
  }

  async #copyDirectory(path: string, name: string, directory: Source): Promise<void> {
    await this.#makeDirectory(path)
    for await (const { path: below, type } of directory.entries()) {
      const target = posix.join(path, below)
      if (type === 'link') throw this.#refuse('local_dir', join(name, below), 'is a symbolic link')
      if (type === 'directory') await this.#makeDirectory(target)
      if (type === 'file') await this.#copyFile(target, await directory.entry(below))
    }
  }

  async #copyFile(target: string, source: Source): Promise<void> {
    try {
      const { isFile, mode } = await source.kind()
      if (isFile) await this.#file(target, source.content(), mode)
    } finally {
      await source.close()
    }
  }

  /** Below this process's directory, or what the manifest grants: as the SDK has it. */
  async #withSource(kind: string, src: string, use: (source: Source) => Promise<void>): Promise<void> {
    const grants = this.#grants.map(({ path }) => path)
    let source: Source | undefined
    try {
      source = await Source.open(src, grants)
      if (source === undefined) {
        const places = `below ${process.cwd()} nor in manifest.extraPathGrants`
        throw this.#refuse(kind, src, `is neither ${places}`)
      }
      await use(source)
    } catch (error) {
      if (!(error instanceof SourceRefusal)) throw error
      throw new this.#sdk.SandboxArtifactError(`${kind}: ${error.message}`, { source: src })
    } finally {
      await source?.close()
    }
  }

  async #repository(path: string, entry: GitRepo): Promise<void> {
    try {
      await cloneRepository(this.#confinement, path, entry)
    } catch (error) {
      const { message } = error as Error
      throw new this.#sdk.SandboxArtifactError(
        `git_repo ${path}: ${message}`,
        { path, repo: entry.repo },
        'git_clone_error',
      )
    }
  }

  #refuse(kind: string, source: string, why: string): Error {
    return new this.#sdk.SandboxArtifactError(`${kind}: ${source} ${why}`, { source })
  }

  #target(path: string): string {
    return path === '' ? this.#confinement.root : join(this.#confinement.root, path)
  }
}
