// The files of a session: the workspace and what its manifest grants besides, within what its policy lets commands do.

import { type FileHandle, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Editor } from '@openai/agents'
import type { Manifest, SandboxDirectoryEntry, ViewImageArgs } from '@openai/agents/sandbox'
import { isWithin, realNameOf } from '../../util/absolute-paths.js'
import { type FileAccess, nameOf } from '../file-access.js'
import { mediaTypeOf } from './media-type.js'
import { WorkspaceNames } from './names.js'
import type { Sdk } from './sdk.js'

/** What a model is given as an image at most, as the SDK's own sandboxes have it. */
const maxImageBytes = 10 * 1024 * 1024
const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

type Opening = 'openForReading' | 'openToLook' | 'openDirectory'

export class Files {
  readonly #sdk: Sdk
  readonly #access: FileAccess
  readonly #root: string
  readonly #manifest: () => Manifest

  /** @param root the workspace, by its real name */
  constructor(sdk: Sdk, access: FileAccess, root: string, manifest: () => Manifest) {
    this.#sdk = sdk
    this.#access = access
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
  async read(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    return await this.#opened('openForReading', path, (file) => readUpTo(file, maxBytes))
  }

  async list(path: string): Promise<SandboxDirectoryEntry[]> {
    const { path: absolute, relative = absolute } = this.resolve(path)
    const entries = await this.#opened('openDirectory', path, (directory) =>
      readdir(`/proc/self/fd/${directory.fd}`, { withFileTypes: true }),
    )
    return entries.map((entry) => ({
      name: entry.name,
      path: relative === '' ? entry.name : `${relative}/${entry.name}`,
      type: entry.isDirectory() ? 'dir' : entry.isFile() ? 'file' : 'other',
    }))
  }

  /** @param isDirectory whether it has to be one */
  async exists(path: string, isDirectory = false): Promise<boolean> {
    try {
      return await this.#opened('openToLook', path, async (file) => {
        return !isDirectory || (await file.stat()).isDirectory()
      })
    } catch (error) {
      if (missing.has((error as NodeJS.ErrnoException).code)) return false
      throw error
    }
  }

  async image({ path }: ViewImageArgs) {
    const { SandboxArtifactError } = this.#sdk.sandbox
    // The words are those that the SDK's tool looks for.
    const refuse = (text: string) => new SandboxArtifactError(`${text}: ${path}`)
    const bytes = await this.#opened('openForReading', path, async (file) => {
      const found = await file.stat()
      if (!found.isFile()) throw refuse('Image path is not a file')
      if (found.size > maxImageBytes) throw refuse('Image file exceeds the 10 MB limit')
      return await readUpTo(file, maxImageBytes)
    }).catch((error) => {
      throw missing.has(error.code) ? refuse('Image file not found') : error
    })
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
    const file = await this.#access.openForWriting(target, isNew).catch((error) => fail(error, path))
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  }

  async #remove(path: string): Promise<void> {
    const target = this.resolve(path, true).path
    if (await this.#access.remove(target).catch((error) => fail(error, path))) return
    throw Object.assign(new Error(`ENOENT: no such file: ${path}`), { code: 'ENOENT', path: target })
  }

  /** What has been opened counts: a name may lead anywhere. */
  async #opened<Value>(
    how: Opening,
    path: string,
    use: (file: FileHandle) => Promise<Value>,
  ): Promise<Value> {
    const target = this.resolve(path).path
    const file = await this.#access[how](target).catch((error) => fail(error, path))
    try {
      const roots = [this.#root, ...this.#manifest().extraPathGrants.map((grant) => grant.path)]
      const real = await nameOf(file)
      if (!roots.some((each) => isWithin(real, realNameOf(each)))) {
        const { SandboxPathResolutionError } = this.#sdk.sandbox
        throw new SandboxPathResolutionError(`Sandbox path "${path}" escapes the workspace root.`, { path })
      }
      return await use(file)
    } finally {
      await file.close()
    }
  }
}

/** The system names what it was given: a descriptor of this process. */
function fail(error: NodeJS.ErrnoException, path: string): never {
  const { code, errno, syscall, message } = error
  if (syscall === undefined) throw error
  const reason = message.split(', ')[0]
  throw Object.assign(new Error(`${reason}: ${path}`, { cause: error }), { code, errno, path })
}

/** The first bytes of a file, however long it is. */
async function readUpTo(file: FileHandle, maxBytes: number): Promise<Uint8Array> {
  if (maxBytes === Number.POSITIVE_INFINITY) return await file.readFile()
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.min(Math.max(Math.floor(maxBytes), 0), Math.max(size, 0)))
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error(`${path} is not text: it has invalid UTF-8`)
  }
}
