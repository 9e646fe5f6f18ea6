// The files of a session: the workspace and what its manifest grants besides, within what its policy lets commands do.

import { join } from 'node:path'
import type { Editor } from '@openai/agents'
import type { Manifest, SandboxDirectoryEntry, ViewImageArgs } from '@openai/agents/sandbox'
import type { ConfinedFiles } from '../confined-files/confined-files.js'
import { type FileError, fileError } from '../confined-files/file-errors.js'
import { mediaTypeOf } from './media-type.js'
import { WorkspaceNames } from './names.js'
import type { Sdk } from './sdk.js'

/** What a model is given as an image at most, as the SDK's own sandboxes have it. */
const maxImageBytes = 10 * 1024 * 1024
const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const notFile: ReadonlySet<unknown> = new Set(['EISDIR', 'EINVAL'])

export class Files {
  readonly #sdk: Sdk
  readonly #files: ConfinedFiles
  readonly #root: string
  readonly #manifest: () => Manifest

  /** @param root the workspace, by its real name */
  constructor(sdk: Sdk, files: ConfinedFiles, root: string, manifest: () => Manifest) {
    this.#sdk = sdk
    this.#files = files
    this.#root = root
    this.#manifest = manifest
  }

  /**
   * The absolute path of a file, as far as its name tells.
   *
   * @throws {SandboxError} for one that is neither in the workspace nor granted
   */
  resolve(path = '', forWrite = false): { path: string; relative: string | undefined } {
    const { root, extraPathGrants } = this.#manifest()
    const policy = new this.#sdk.sandbox.WorkspacePathPolicy({ root, extraPathGrants })
    const named = new WorkspaceNames(root, this.#root).path(path)
    const { path: absolute, workspaceRelativePath: relative } = policy.resolve(named, { forWrite })
    return { path: relative === undefined ? absolute : join(this.#root, relative), relative }
  }

  /** @throws the system's error, or a SandboxError */
  async read(path: string, maxBytes?: number): Promise<Uint8Array> {
    return await this.#reach(path, (target) => this.#files.read(target, { maxBytes }))
  }

  async list(path: string): Promise<SandboxDirectoryEntry[]> {
    const { path: absolute, relative = absolute } = this.resolve(path)
    const entries = await this.#reach(path, (target) => this.#files.list(target))
    return entries.map(({ name, type }) => ({
      name,
      path: relative === '' ? name : `${relative}/${name}`,
      type: type === 'directory' ? 'dir' : type === 'file' ? 'file' : 'other',
    }))
  }

  /** @param isDirectory whether it has to be one */
  async exists(path: string, isDirectory = false): Promise<boolean> {
    try {
      const { type } = await this.#reach(path, (target) => this.#files.look(target))
      return !isDirectory || type === 'directory'
    } catch (error) {
      if (missing.has((error as NodeJS.ErrnoException).code)) return false
      throw error
    }
  }

  async image({ path }: ViewImageArgs) {
    const { SandboxArtifactError } = this.#sdk.sandbox
    // The words are those that the SDK's tool looks for.
    const refuse = (text: string) => new SandboxArtifactError(`${text}: ${path}`)
    const bytes = await this.#reach(path, (target) =>
      this.#files.read(target, { maxBytes: maxImageBytes + 1 }),
    ).catch((error) => {
      if (notFile.has(error.code)) throw refuse('Image path is not a file')
      throw missing.has(error.code) ? refuse('Image file not found') : error
    })
    if (bytes.length > maxImageBytes) throw refuse('Image file exceeds the 10 MB limit')
    const mediaType = mediaTypeOf(bytes, path)
    if (mediaType === undefined) throw refuse('Unsupported image format for view_image')
    return { type: 'image' as const, image: { data: Uint8Array.from(bytes), mediaType } }
  }

  /** What applies the patches of a model. */
  editor(): Editor {
    const { applyDiff } = this.#sdk
    return {
      createFile: async ({ path, diff }) => {
        await this.#write(path, applyDiff('', diff, 'create'), true)
      },
      updateFile: async ({ path, diff, moveTo }) => {
        this.resolve(path, true)
        const changed = applyDiff(textOf(await this.read(path), path), diff)
        await this.#write(moveTo ?? path, changed)
        const isMoved = moveTo !== undefined && this.resolve(moveTo).path !== this.resolve(path).path
        if (isMoved) await this.#remove(path)
      },
      deleteFile: async ({ path }) => {
        await this.#remove(path)
      },
    }
  }

  async #write(path: string, text: string, isNew = false): Promise<void> {
    const target = this.resolve(path, true).path
    await this.#files.write(target, text, { isNew }).catch((error) => fail(error, path))
  }

  async #remove(path: string): Promise<void> {
    const target = this.resolve(path, true).path
    if (await this.#files.remove(target).catch((error) => fail(error, path))) return
    throw Object.assign(new Error(`ENOENT: no such file: ${path}`), { code: 'ENOENT', path: target })
  }

  /** A name may lead anywhere: where it does lead is for the sandbox to see. */
  async #reach<Value>(path: string, use: (target: string) => Promise<Value>): Promise<Value> {
    const target = this.resolve(path).path
    return await use(target).catch((error) => {
      if (error.code !== 'EXDEV') return fail(error, path)
      const { SandboxPathResolutionError } = this.#sdk.sandbox
      throw new SandboxPathResolutionError(`Sandbox path "${path}" escapes the workspace root.`, { path })
    })
  }
}

/** A model knows the file by another name. */
function fail(error: FileError, path: string): never {
  if (error.reason === undefined) throw error
  throw fileError(error.code, error.reason, path)
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error(`${path} is not text: it has invalid UTF-8`)
  }
}
