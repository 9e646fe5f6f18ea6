// Commands to check, one a line, and the answer to each: for a program that asks about many without a new process each.

import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { BashError, describeError } from '../../base/errors.js'
import { resolveDirectory } from '../../base/util/directories.js'
import { invalidInput } from '../../base/util/invalid-input.js'
import type { JsonSchema } from '../../base/util/schema/json-schema.js'
import { validInput } from '../../base/util/schema/validate.js'
import { checkCommandText } from '../../commands/run/command-text.js'

/** What is said of a command that would run in that directory: an object that can be written as JSON. */
export type Judge = (command: string, workingDir: string) => object | Promise<object>

export type Answer = object | { error: { code: string; message: string } }

const schema = {
  type: 'object',
  properties: { command: { type: 'string' }, cwd: { type: 'string', minLength: 1 } },
  required: ['command'],
  additionalProperties: false,
} as const satisfies JsonSchema

/**
 * Answers each line, in their order, before it reads the next. A line that is wrong is answered with an error, so that
 * the n-th answer always belongs to the n-th line.
 *
 * @param workingDir an absolute path, for lines that name no directory, or a relative one
 * @param judge what answers
 */
export async function* answerLines(
  input: AsyncIterable<Buffer>,
  workingDir: string,
  judge: Judge,
): AsyncGenerator<Answer, void, undefined> {
  let number = 0
  for await (const line of readLines(input)) {
    number += 1
    try {
      yield await answer(line, workingDir, judge)
    } catch (error) {
      const { code, message } = describeError(error)
      yield { error: { code, message: `line ${number}: ${message}` } }
    }
  }
}

async function answer(line: Line, workingDir: string, judge: Judge): Promise<Answer> {
  const { command, cwd } = parse(line)
  checkCommandText(command)
  const directory = resolveDirectory('cwd', cwd === undefined ? workingDir : resolve(workingDir, cwd))
  return await judge(command, directory)
}

/** @throws {BashError} ERR_INVALID_INPUT */
function parse(line: Line): { command: string; cwd?: string | undefined } {
  if ('tooLong' in line) throw new BashError('ERR_INVALID_INPUT', `must be at most ${line.tooLong} bytes`)
  if (!isUtf8(line.bytes)) throw new BashError('ERR_INVALID_INPUT', 'must be UTF-8')
  return validInput(schema, parseJson(line.bytes.toString()))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidInput('input', 'must be a JSON object', text)
  }
}

/** Without its line break. */
export type Line = { bytes: Buffer } | { tooLong: number }

/** Bytes. Enough for the longest command that can be run, in JSON's longest spelling. */
const maxLineBytes = 32 * 1024 * 1024

/**
 * The last line need not be ended.
 *
 * @param limit bytes; of a longer line nothing is kept
 */
export async function* readLines(
  input: AsyncIterable<Buffer>,
  limit = maxLineBytes,
): AsyncGenerator<Line, void, undefined> {
  let pieces: Buffer[] = []
  let length = 0
  const add = (piece: Buffer) => {
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else pieces = []
  }
  const take = (): Line => {
    const line = length <= limit ? { bytes: Buffer.concat(pieces) } : { tooLong: limit }
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
