// Reading the files of a SandboxSession: those of this machine, with the rights of this process.

import type { Dirent, Stats } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'

type Reading = 'readFile' | 'readBinaryFile' | 'readTextFile' | 'stat' | 'listDirectory'

export function readingMethods(cwd: string): Pick<SandboxSession, Reading> {
  const readBinaryFile: SandboxSession['readBinaryFile'] = ({ path, abortSignal }) =>
    orNull(readFile(resolve(cwd, path), { signal: abortSignal }))
  return {
    readBinaryFile,
    async readFile({ path, abortSignal }) {
      const file = await orNull(open(resolve(cwd, path)))
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

/** Null where there is no such file. */
export async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
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
