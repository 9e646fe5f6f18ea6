// Writing the files of a SandboxSession. In Restricted mode that is refused as it is to commands.

import { lstat, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import { makeDirectories } from '../../util/directories.js'
import { orNull } from './files.js'

type Writing = 'writeFile' | 'writeBinaryFile' | 'writeTextFile' | 'deleteFile'

/** The methods reject with an error with the code EROFS when `readOnly` is true. */
export function writingMethods(cwd: string, readOnly: boolean): Pick<SandboxSession, Writing> {
  const writable = (path: string): string => {
    const target = resolve(cwd, path)
    if (!readOnly) return target
    const message = `EROFS: files are read-only in Restricted mode: ${target}`
    throw Object.assign(new Error(message), { code: 'EROFS', path: target })
  }
  const write = async (path: string, content: Uint8Array | Readable, signal: AbortSignal | undefined) => {
    const target = writable(path)
    makeDirectories(dirname(target))
    await writeFile(target, content, { signal })
  }
  return {
    writeBinaryFile: ({ path, content, abortSignal }) => write(path, content, abortSignal),
    writeFile: ({ path, content, abortSignal }) =>
      write(path, Readable.fromWeb(content as ReadableStream), abortSignal),
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      await write(path, Buffer.from(content, encoding as BufferEncoding), abortSignal)
    },
    async deleteFile({ path }) {
      const target = writable(path)
      if ((await orNull(lstat(target))) === null) return false
      await rm(target)
      return true
    },
  }
}
