// The files of a session, as its commands reach them: each method is a command in the session's sandbox. This process opens
// none of these paths, so nothing that lies there (a link, a pipe, a device, what is secret) is met with its rights.

import { basename, dirname } from 'node:path'
import { invalidInput } from '../../../base/util/invalid-input.js'
import { type Content, contentOf, withExchange } from './exchange.js'
import { fileError } from './file-errors.js'
import { type Place, runScript, type ScriptCall, writableIn } from './run-script.js'
import * as scripts from './scripts.js'

export type { Content } from './exchange.js'
export type { Place } from './run-script.js'

export interface ConfinedFilesOptions {
  /** Where may be read, as commands name it; default: wherever commands can. */
  readable?: (() => readonly string[]) | undefined
  /** Where may be written, besides what commands can; default: wherever they can. Empty: nowhere. */
  writable?: (() => readonly string[]) | undefined
}

export interface ReadOptions {
  /** The first bytes are enough. Default: all, of 256 MiB at most. */
  maxBytes?: number | undefined
  signal?: AbortSignal | undefined
}

export interface WriteOptions {
  /** Whether there may be no such file. Default false. */
  isNew?: boolean | undefined
  /** Permissions. Default: those it has; a new one has what the umask leaves. */
  mode?: number | undefined
  signal?: AbortSignal | undefined
}

export interface ListedEntry {
  name: string
  type: 'file' | 'directory' | 'symlink' | 'other'
}

export interface Looked {
  type: 'file' | 'directory' | 'other'
  /** Bytes; 0 for a device. */
  size: number
}

/** PATH_MAX of <linux/limits.h>, less the final NUL. */
const maxPathBytes = 4095
/** A whole file is one piece of memory. */
const maxFileBytes = 256 * 1024 ** 2
const maxListBytes = 64 * 1024 ** 2
/** A multiple of the blocks of the script. */
const chunkBytes = 4 * 1024 ** 2

/**
 * Paths are absolute. Methods reject with an error whose `code` is the system's: ENOENT, EACCES for what cannot be read in the
 * sandbox, EROFS outside of what can be written, EXDEV outside of `readable`, EINVAL for what is no regular file, EFBIG for a
 * file that is too large, ETIMEDOUT; and with a BashError when nothing can run.
 */
export class ConfinedFiles {
  readonly #place: Place
  readonly #options: ConfinedFilesOptions

  constructor(place: Place, options: ConfinedFilesOptions = {}) {
    this.#place = place
    this.#options = options
  }

  async read(path: string, { maxBytes, signal }: ReadOptions = {}): Promise<Buffer> {
    const whole = maxBytes === undefined || !Number.isFinite(maxBytes)
    const most = whole ? maxFileBytes : Math.min(Math.max(Math.floor(maxBytes), 0), maxFileBytes)
    const { bytes } = await this.#readPart(path, { most, whole, offset: 0, signal })
    return bytes
  }

  /**
   * The file from its beginning, as it is asked for. The first piece is read now.
   *
   * @returns pieces; they fail with ESTALE when another file has taken the place of this one
   */
  async stream(path: string, signal?: AbortSignal): Promise<AsyncGenerator<Buffer, void>> {
    const call = { most: chunkBytes, whole: false, signal }
    const first = await this.#readPart(path, { ...call, offset: 0 })
    const next = async (offset: number) => await this.#readPart(path, { ...call, offset })
    return (async function* pieces() {
      let { bytes } = first
      for (let offset = 0; ; offset += bytes.length) {
        if (offset > 0) {
          const part = await next(offset)
          if (part.inode !== first.inode) throw fileError('ESTALE', 'another file has taken its place', path)
          bytes = part.bytes
        }
        if (bytes.length > 0) yield bytes
        if (bytes.length < chunkBytes) return
      }
    })()
  }

  /** In no particular order. */
  async list(path: string): Promise<ListedEntry[]> {
    const call = this.#reading(scripts.list, path, { take: String(maxListBytes + 1) })
    const text = await runScript(this.#place, call, async (_, exchange) =>
      (await contentOf(exchange, maxListBytes)).toString(),
    )
    const entries = text.split('\0')
    // The last one is empty, or cut.
    entries.pop()
    return entries.map((entry) => ({ name: entry.slice(1), type: types[entry[0] as keyof typeof types] }))
  }

  /** What a path leads to. */
  async look(path: string): Promise<Looked> {
    return await runScript(this.#place, this.#reading(scripts.look, path, {}), (printed) => {
      const [, letter, size] = /^(.)\S+\s+\d+\s+\d+\s+\d+\s+(\d+)/.exec(printed) ?? []
      const type = letter === '-' ? 'file' : letter === 'd' ? 'directory' : 'other'
      return { type, size: type === 'other' ? 0 : Number(size) }
    })
  }

  /** Makes the directories that are missing, and follows links; not where nothing is at their end, if paths are limited. */
  async write(path: string, content: Content, { isNew, mode, signal }: WriteOptions = {}): Promise<void> {
    const variables = { make: 'yes', is_new: isNew ? 'yes' : '', mode: modeText(mode) }
    const call = this.#writing(scripts.write, path, variables)
    await withExchange(
      content,
      (exchange) => runScript(this.#place, { ...call, exchange, signal }, () => {}),
      signal,
    )
  }

  /** With those above it. @param mode its permissions; default: those it has */
  async makeDirectory(path: string, mode?: number): Promise<void> {
    const variables = { directory: path, make: 'yes', mode: modeText(mode) }
    await runScript(this.#place, this.#writing(scripts.makeDirectory, path, variables), () => {})
  }

  /** A file, or a link. @returns false where there is none */
  async remove(path: string): Promise<boolean> {
    try {
      await runScript(this.#place, this.#writing(scripts.remove, path, { make: '' }), () => {})
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  async #readPart(
    path: string,
    {
      most,
      whole,
      offset,
      signal,
    }: { most: number; whole: boolean; offset: number; signal?: AbortSignal | undefined },
  ): Promise<{ bytes: Buffer; inode: string | undefined }> {
    const take = whole ? most + 1 : most
    const variables = { take: String(take), offset: String(offset), whole: whole ? 'yes' : '' }
    const call = { ...this.#reading(scripts.read, path, variables), signal }
    return await runScript(this.#place, call, async (printed, exchange) => ({
      bytes: await contentOf(exchange, most),
      inode: printed.split(' ')[0],
    }))
  }

  #reading(text: string, path: string, variables: ScriptCall['variables']): ScriptCall {
    return callFor(text, path, variables, this.#options.readable?.())
  }

  #writing(text: string, path: string, variables: ScriptCall['variables']): ScriptCall {
    const roots = this.#options.writable?.() ?? writableIn(this.#place)
    if (roots?.length === 0) {
      throw fileError(
        'EROFS',
        `files are read-only ${this.#place.sandbox === 'restricted' ? 'in Restricted mode' : 'here in the sandbox'}`,
        path,
      )
    }
    return callFor(text, path, { directory: dirname(path), name: basename(path), ...variables }, roots)
  }
}

function callFor(
  text: string,
  path: string,
  variables: ScriptCall['variables'],
  roots: ScriptCall['roots'],
): ScriptCall {
  if (path.includes('\0')) throw invalidInput('path', 'must have no NUL character', path)
  // mkdir would make it all the same, and nobody could remove it by its name.
  if (Buffer.byteLength(path) > maxPathBytes) throw fileError('ENAMETOOLONG', 'file name too long', path)
  return { text, path, variables: { path, ...variables }, roots }
}

const types = { f: 'file', d: 'directory', l: 'symlink', o: 'other' } as const

const modeText = (mode: number | undefined): string => (mode === undefined ? '' : mode.toString(8))
