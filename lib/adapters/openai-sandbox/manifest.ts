// The entries of a manifest, put into the workspace: by this process, in a way that no command can lead elsewhere.

import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import type { Dir, Entry, GitRepo, LocalDir, LocalFile, Manifest } from '@openai/agents/sandbox'
import { isWithin, realNameOf } from '../../util/absolute-paths.js'
import { type FileAccess, nameOf } from '../file-access.js'
import type { Confinement } from './confinement.js'
import { cloneRepository } from './repository.js'
import type { Sdk } from './sdk.js'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

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
  const { root } = confinement
  const access = confinement.ownAccess([root])
  for (const [path, entry] of Object.entries(entries)) {
    await new Placing(sdk, access, confinement, grants).place(sdk.normalizeRelativePath(path), entry)
  }
}

class Placing {
  readonly #sdk: Sdk['sandbox']
  readonly #access: FileAccess
  readonly #confinement: Confinement
  readonly #grants: Manifest['extraPathGrants']

  constructor(
    sdk: Sdk['sandbox'],
    access: FileAccess,
    confinement: Confinement,
    grants: Manifest['extraPathGrants'],
  ) {
    this.#sdk = sdk
    this.#access = access
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
    const directory = await this.#access.makeDirectory(this.#target(path))
    try {
      if (mode !== undefined && path !== '') await directory.chmod(mode)
    } finally {
      await directory.close()
    }
  }

  async #file(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    const file = await this.#access.openForWriting(this.#target(path))
    try {
      await file.writeFile(content)
      await file.chmod(mode)
    } finally {
      await file.close()
    }
  }

  async #localFile(path: string, { src }: LocalFile, mode: number): Promise<void> {
    const file = await this.#openSource('local_file', src, O_NONBLOCK)
    try {
      if (!(await file.stat()).isFile()) throw this.#refuse('local_file', src, 'is not a file')
      await this.#file(path, await file.readFile(), mode)
    } finally {
      await file.close()
    }
  }

  async #localDirectory(path: string, { src }: LocalDir, mode: number): Promise<void> {
    const directory = await this.#openSource('local_dir', src, O_DIRECTORY)
    await this.#copyDirectory(path, src, directory)
    await this.#makeDirectory(path, mode)
  }

  /** Closes the directory. */
  async #copyDirectory(path: string, name: string, directory: FileHandle): Promise<void> {
    try {
      await this.#makeDirectory(path)
      const inside = `/proc/self/fd/${directory.fd}`
      for (const entry of await readdir(inside, { withFileTypes: true })) {
        const [source, target] = [join(name, entry.name), posix.join(path, entry.name)]
        if (entry.isSymbolicLink()) throw this.#refuse('local_dir', source, 'is a symbolic link')
        if (!entry.isDirectory() && !entry.isFile()) continue
        const flags = O_RDONLY | O_NOFOLLOW | (entry.isDirectory() ? O_DIRECTORY : O_NONBLOCK)
        const opened = await open(`${inside}/${entry.name}`, flags)
        if (entry.isDirectory()) await this.#copyDirectory(target, source, opened)
        else await this.#copyFile(target, opened)
      }
    } finally {
      await directory.close()
    }
  }

  /** Closes the file. */
  async #copyFile(path: string, file: FileHandle): Promise<void> {
    try {
      await this.#file(path, await file.readFile(), (await file.stat()).mode & 0o777)
    } finally {
      await file.close()
    }
  }

  /** Below this process's directory, or what the manifest grants: as the SDK has it. */
  async #openSource(kind: string, src: string, flags: number): Promise<FileHandle> {
    const base = process.cwd()
    const roots = [base, ...this.#grants.map(({ path }) => path)]
    const file = await open(resolve(base, src), O_RDONLY | O_NOFOLLOW | flags)
    const real = await nameOf(file)
    if (roots.some((each) => isWithin(real, realNameOf(each)))) return file
    await file.close()
    throw this.#refuse(kind, src, `is neither below ${base} nor in manifest.extraPathGrants`)
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
