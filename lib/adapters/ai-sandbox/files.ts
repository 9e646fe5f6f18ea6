// The files of a SandboxSession: those of this machine, with the rights of this process. What a policy refuses commands,
// these methods refuse, too.

import type { Dirent, Stats } from 'node:fs'
import { lstat, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import { makeDirectories } from '../../util/directories.js'
import { FileAccess } from '../file-access.js'

type Reading = 'readFile' | 'readBinaryFile' | 'readTextFile' | 'stat' | 'listDirectory'

/** @param access undefined where commands have no policy */
export function readingMethods(cwd: string, access?: FileAccess): Pick<SandboxSession, Reading> {
  const openFile = (path: string) =>
    orNull(access === undefined ? open(resolve(cwd, path)) : access.openForReading(resolve(cwd, path)))
  const readBinaryFile: SandboxSession['readBinaryFile'] = async ({ path, abortSignal }) => {
    const file = await openFile(path)
    if (file === null) return null
    try {
      return await readFile(file, { signal: abortSignal })
    } finally {
      await file.close()
    }
  }
  return {
    readBinaryFile,
    async readFile({ path, abortSignal }) {
      const file = await openFile(path)
      const stream = file?.createReadStream(abortSignal && { signal: abortSignal })
      return stream === undefined ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>)
    },
    async readTextFile({ encoding = 'utf-8', startLine = 1, endLine, ...options }) {
      const bytes = await readBinaryFile(options)
      const text = bytes && new TextDecoder(encoding).decode(bytes)
      const isWhole = startLine === 1 && endLine === undefined
      return isWhole || text === null
        ? text
        : text
            .split('\n')
            .slice(startLine - 1, endLine)
            .join('\n')
    },
    async stat({ path }) {
      const found = await orNull(stat(resolve(cwd, path)))
      return found && { type: typeOf(found), size: found.size }
    },
    async listDirectory({ path }) {
      const entries = await orNull(readdir(resolve(cwd, path), { withFileTypes: true }))
      const toEntry = (entry: Dirent) => ({
        name: entry.name,
        type: entry.isSymbolicLink() ? ('symlink' as const) : typeOf(entry),
      })
      return entries?.map(toEntry) ?? null
    },
  }
}

type Writing = 'writeFile' | 'writeBinaryFile' | 'writeTextFile' | 'deleteFile'

/** The methods reject with an error with the code EROFS when `access` is `'none'`, and for what it does not allow. */
export function writingMethods(
  cwd: string,
  access: FileAccess | 'none' | undefined,
): Pick<SandboxSession, Writing> {
  const writable = (path: string): string => {
    const target = resolve(cwd, path)
    if (access !== 'none') return target
    const message = `EROFS: files are read-only in Restricted mode: ${target}`
    throw Object.assign(new Error(message), { code: 'EROFS', path: target })
  }
  const write = async (path: string, content: Uint8Array | Readable, signal: AbortSignal | undefined) => {
    const target = writable(path)
    if (access instanceof FileAccess) {
      const file = await access.openForWriting(target)
      try {
        return await writeFile(file, content, { signal })
      } finally {
        await file.close()
      }
    }
    makeDirectories(dirname(target))
    await writeFile(target, content, { signal })
  }
  return {
    writeBinaryFile: ({ path, content, abortSignal }) => write(path, content, abortSignal),
    writeFile: ({ path, content, abortSignal }) =>
      write(path, Readable.fromWeb(content as NodeReadableStream), abortSignal),
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      await write(path, Buffer.from(content, encoding as BufferEncoding), abortSignal)
    },
    async deleteFile({ path }) {
      const target = writable(path)
      if (access instanceof FileAccess) return await access.remove(target)
      if ((await orNull(lstat(target))) === null) return false
      await rm(target)
      return true
    },
  }
}

/** Null where there is no such file. */
async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function typeOf(found: Stats | Dirent): 'file' | 'directory' | 'other' {
  if (found.isFile()) return 'file'
  return found.isDirectory() ? 'directory' : 'other'
}
