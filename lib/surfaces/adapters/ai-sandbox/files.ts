// The files of a SandboxSession: what its commands can read and write, and nothing else.

import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import type { ConfinedFiles, Content } from '../confined-files/confined-files.js'

type Reading = 'readFile' | 'readBinaryFile' | 'readTextFile' | 'stat' | 'listDirectory'

export function readingMethods(cwd: string, files: ConfinedFiles): Pick<SandboxSession, Reading> {
  const readBinaryFile: SandboxSession['readBinaryFile'] = async ({ path, abortSignal: signal }) =>
    await orNull(files.read(resolve(cwd, path), { signal }))
  return {
    readBinaryFile,
    async readFile({ path, abortSignal }) {
      const pieces = await orNull(files.stream(resolve(cwd, path), abortSignal))
      return (
        pieces && (Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>)
      )
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
    stat: async ({ path }) => await orNull(files.look(resolve(cwd, path))),
    listDirectory: async ({ path }) => await orNull(files.list(resolve(cwd, path))),
  }
}

type Writing = 'writeFile' | 'writeBinaryFile' | 'writeTextFile' | 'deleteFile'

/** The methods reject with an error with the code EROFS for what commands cannot write. */
export function writingMethods(cwd: string, files: ConfinedFiles): Pick<SandboxSession, Writing> {
  const write = async (path: string, content: Content, signal: AbortSignal | undefined) =>
    await files.write(resolve(cwd, path), content, { signal })
  return {
    writeBinaryFile: async ({ path, content, abortSignal }) => await write(path, content, abortSignal),
    writeFile: async ({ path, content, abortSignal }) =>
      await write(path, Readable.fromWeb(content as NodeReadableStream), abortSignal),
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      await write(path, Buffer.from(content, encoding as BufferEncoding), abortSignal)
    },
    deleteFile: async ({ path }) => await files.remove(resolve(cwd, path)),
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
