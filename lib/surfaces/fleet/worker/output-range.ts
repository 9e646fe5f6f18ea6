// A range of what a command has printed, from the file that holds all of it.

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BashError } from '../../../base/errors.js'
import { checkInteger, checkObject, checkType, invalidInput } from '../../../base/util/invalid-input.js'
import { isSavedOutput } from '../../../commands/jobs/saved-output-name.js'
import { maxRangeBytes } from '../limits.js'
import type { Room } from './rooms.js'

export interface RangeInput {
  /** Of a job, or the path that a result has as `savedOutput`. */
  id: string
  offset: number
  maxBytes: number
}

/** As it stands in Redis. */
export interface Range {
  /** Base64. */
  data: string
  offset: number
  /** Of the file, as it is now. */
  size: number
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkRange(value: unknown): RangeInput {
  const {
    id,
    offset = 0,
    maxBytes = maxRangeBytes,
  } = checkObject('output', value, ['id', 'offset', 'maxBytes'])
  const name = checkType<string>('output.id', id, 'string')
  if (name === undefined || name === '')
    throw invalidInput('output.id', 'must be the id of a job, or savedOutput', id)
  return {
    id: name,
    offset: checkInteger('output.offset', offset, [0, Number.MAX_SAFE_INTEGER], 'bytes'),
    maxBytes: checkInteger('output.maxBytes', maxBytes, [1, maxRangeBytes], 'bytes'),
  }
}

/** Only files of this conversation. @throws {BashError} ERR_JOB_NOT_FOUND; the system's error */
export async function readRange(room: Room, { id, offset, maxBytes }: RangeInput): Promise<Range> {
  // What stands there may be a link of a command's, or a pipe, whose opening would hold a thread up for good.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(await pathOf(room, id), flags).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? notFound(id, cause) : cause
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw notFound(id)
    const { size } = stats
    const buffer = Buffer.alloc(Math.min(maxBytes, Math.max(size - offset, 0)))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
    return { data: buffer.subarray(0, bytesRead).toString('base64'), offset, size }
  } finally {
    await file.close()
  }
}

async function pathOf(room: Room, id: string): Promise<string> {
  // Of a path only the name counts: it was given by a client.
  const name = basename(id)
  if (isSavedOutput(name)) return join(room.outputs, name)
  const { outputFile } = await room.jobs.get(id)
  return outputFile
}

function notFound(id: string, cause?: unknown): BashError {
  return new BashError('ERR_JOB_NOT_FOUND', `this conversation has no output ${id}, or no longer`, { cause })
}
