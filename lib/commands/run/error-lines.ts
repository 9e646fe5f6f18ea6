// What of a long output tells of an error, in the middle that its result leaves out. From the file of all of it, where there
// is one. Loaded with the first output that is cut.

import { openOwnFile } from '../../base/util/regular-file.js'
import type { Completion } from '../../processes/engine/completion.js'
import { type CapturedStream, decodeStream, missingBytes } from '../../processes/output/decode.js'
import {
  ErrorLines,
  type FoundLine,
  judgeLine,
  lineCountOf,
  selectionOf,
} from '../../processes/output/error-lines.js'
import type { OutputProfile } from '../../processes/output/profile.js'
import { normalizeOutput, OutputRenderer } from '../../processes/output/render.js'
import { TextStream } from '../../processes/output/text-stream.js'
import { fromLineStart } from '../../processes/output/truncate.js'
import { compileFilter } from '../jobs/line-filter.js'
import type { RunResult } from './build-result.js'
import type { ErrorLinesOptions } from './command-options.js'
import type { Redaction } from './redaction.js'

export interface LinesWanted {
  profile: OutputProfile
  errorLines: true | ErrorLinesOptions
  /** Takes out what the file has as it came. */
  redaction: Redaction | undefined
}

/** Bytes of a file that are looked at, from its beginning: some 0.1 s. */
const maxFileBytes = 16 * 1024 * 1024
const chunkBytes = 256 * 1024
/** Characters that the lines take at most, and the part of all characters. */
const maxChars = 2000
const mostOfAll = 1 / 4

/** Adds the lines to the output of a result that was cut. @param streams without secrets */
export async function addErrorLines(
  result: RunResult,
  streams: Completion['streams'],
  wanted: LinesWanted,
): Promise<void> {
  const { stdout, stderr } = result
  if (stdout === undefined || stderr === undefined) {
    result.output = (await linesOf(streams[0], wanted, wholeFile(result))) ?? result.output
    return
  }
  result.stdout = (await linesOf(streams[0], wanted)) ?? stdout
  result.stderr = (await linesOf(streams[1], wanted)) ?? stderr
  result.output = result.stdout + result.stderr
}

function wholeFile({ savedOutput, savedOutputBytes = 0, outputBytes }: RunResult): string | undefined {
  return savedOutputBytes === outputBytes && outputBytes <= maxFileBytes ? savedOutput : undefined
}

/** @returns undefined where nothing is left out, or nothing of it tells of an error */
async function linesOf(
  given: CapturedStream | string,
  { profile, errorLines, redaction }: LinesWanted,
  file?: string,
): Promise<string | undefined> {
  const stream = typeof given === 'string' ? captured(given) : given
  const room = Math.min(maxChars, Math.floor(profile.maxWholeText * mostOfAll))
  const { text, cut } = profile.bound(stream, room)
  if (cut === undefined) return undefined
  const first = lineCountOf(text.slice(0, cut.first))
  const last = lineCountOf(text.slice(text.length - cut.last))
  const search = () => newSearch(errorLines)
  const isWhole = missingBytes(stream) === 0
  const lines: FoundLine[] = []
  if (isWhole || file !== undefined) {
    const all = search()
    if (file === undefined) all.add(rendered(decodeStream(stream).head, profile))
    else await addFile(file, all, profile, redaction)
    all.end()
    lines.push(...all.select((number) => number <= first || number > all.lineCount - last))
  } else {
    const { head, tail } = decodeStream(stream)
    const [before, behind] = [search(), search()]
    before.add(rendered(head, profile))
    behind.add(rendered(profile.normalize ? fromLineStart(tail) : tail, profile))
    behind.end()
    const count = behind.lineCount
    lines.push(...before.select((number) => number <= first))
    // Nobody knows how many lines there were before: these are counted from the end.
    const ofEnd = behind.select((number) => number > count - last)
    lines.push(...ofEnd.map(({ number, text }) => ({ number: number - count - 1, text })))
  }
  const selection = selectionOf(lines, room)
  if (selection === '') return undefined
  // What it does not need is the output's.
  const bounded = profile.bound(stream, selection.length)
  const at = (bounded.cut ?? cut).first
  return bounded.text.slice(0, at) + selection + bounded.text.slice(at)
}

const captured = (text: string): CapturedStream => {
  const head = Buffer.from(text, 'latin1')
  return { head, tail: Buffer.alloc(0), total: head.length }
}

const rendered = (text: string, { normalize }: OutputProfile): string =>
  normalize ? normalizeOutput(text) : text

function newSearch(errorLines: true | ErrorLinesOptions): ErrorLines {
  if (errorLines === true || errorLines.pattern === undefined) return new ErrorLines(judgeLine)
  const matches = compileFilter(errorLines.pattern)
  return new ErrorLines((line) => (matches(line) ? 'surely' : undefined))
}

/** What cannot be read has no lines. */
async function addFile(
  path: string,
  lines: ErrorLines,
  { normalize }: OutputProfile,
  redaction: Redaction | undefined,
): Promise<void> {
  const file = await openOwnFile(path).catch(() => undefined)
  if (file === undefined) return
  const text = new TextStream()
  const renderer = normalize ? new OutputRenderer() : undefined
  const take = (decoded: string) => lines.add(renderer?.write(decoded) ?? decoded)
  const next = (_: number, bytes: Buffer) => take(text.write(bytes, 0))
  // Numbers are those of the lines of the file.
  const listener = redaction?.listener(next, { keepsLines: true }) ?? next
  try {
    for (let position = 0; position < maxFileBytes; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position)
      if (bytesRead === 0) break
      listener(0, buffer.subarray(0, bytesRead), 0)
      position += bytesRead
    }
    redaction?.end(next, { keepsLines: true })
    take(text.end())
    lines.add(renderer?.end() ?? '')
  } catch {
    // Removed, or on a disk that fails: what came is looked at.
  } finally {
    await file.close()
  }
}
