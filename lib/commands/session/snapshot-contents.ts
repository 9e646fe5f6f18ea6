// What a snapshot holds of a session, as bytes: JSON with a byte for each character, since what bash holds are bytes.
// It comes from this code, authenticated; still every field is checked, so that a mistake is an error here and not in bash.

import { BashError } from '../../base/errors.js'
import {
  type ByteString,
  decodeText,
  encodeText,
  fromBuffer,
  type OptionChanges,
  type ShellFunction,
  type ShellState,
  toBuffer,
} from './state.js'

/** All that a session keeps from call to call. */
export interface SessionContents {
  sequence: number
  stateLimit: number
  initialDirectory: string
  /** The mode or policy of the last call, by its name. */
  last: string
  named: readonly string[]
  /** By the names of the modes and policies. */
  modes: ReadonlyMap<string, ModeContents>
}

export interface ModeContents {
  directory: ByteString
  isDoubtful: boolean
  shell: ShellState
}

/** Lone surrogates would all become the same character: names that hold one are kept as JSON escapes them. */
const writeText = (text: string): ByteString => encodeText(JSON.stringify(text))
const readText = (bytes: ByteString): string => string(JSON.parse(decodeText(bytes)))

export function writeContents(contents: SessionContents, conversationId: string | undefined): Buffer {
  const { sequence, stateLimit, initialDirectory, last, named, modes } = contents
  const plain = {
    conversation: conversationId === undefined ? null : writeText(conversationId),
    sequence,
    stateLimit,
    initialDirectory: writeText(initialDirectory),
    last: writeText(last),
    named: named.map(writeText),
    modes: [...modes].map(([name, { directory, isDoubtful, shell }]) => [
      writeText(name),
      { directory, isDoubtful, shell: writeShell(shell) },
    ]),
  }
  return toBuffer(JSON.stringify(plain))
}

function writeShell(shell: ShellState): Record<keyof ShellState, unknown> {
  const { variables, unsetVariables, functions, unsetFunctions, aliases, umask, ...others } = shell
  return {
    ...others,
    umask: umask ?? null,
    variables: [...variables],
    unsetVariables: [...unsetVariables],
    functions: [...functions].map(([name, { text, flags }]) => [name, { text, flags }]),
    unsetFunctions: [...unsetFunctions],
    aliases: [...aliases],
  }
}

/** @throws {BashError} ERR_SNAPSHOT when it is not what `writeContents` writes */
export function readContents(bytes: Buffer): {
  contents: SessionContents
  conversation: string | undefined
} {
  try {
    const plain = object(JSON.parse(fromBuffer(bytes)))
    const { conversation } = plain
    const contents = {
      sequence: integer(plain.sequence),
      stateLimit: integer(plain.stateLimit),
      initialDirectory: absolute(readText(string(plain.initialDirectory))),
      last: readText(string(plain.last)),
      named: list(plain.named, string).map(readText),
      modes: map(plain.modes, readMode, readText),
    }
    return { contents, conversation: conversation === null ? undefined : readText(string(conversation)) }
  } catch (cause) {
    throw new BashError('ERR_SNAPSHOT', 'the snapshot does not hold a session', { cause })
  }
}

function readMode(value: unknown): ModeContents {
  const { directory, isDoubtful, shell } = object(value)
  return {
    directory: absolute(string(directory)),
    isDoubtful: boolean(isDoubtful),
    shell: readShell(object(shell)),
  }
}

function readShell(shell: Record<string, unknown>): ShellState {
  const umask = shell.umask === null ? undefined : string(shell.umask)
  if (umask !== undefined && !/^[0-7]{1,4}$/.test(umask)) throw new TypeError('umask')
  return {
    variables: map(shell.variables, string),
    unsetVariables: new Set(list(shell.unsetVariables, string)),
    functions: map(shell.functions, readFunction),
    unsetFunctions: new Set(list(shell.unsetFunctions, string)),
    aliases: map(shell.aliases, string),
    shopt: readChanges(shell.shopt),
    set: readChanges(shell.set),
    umask,
    positional: list(shell.positional, string),
    directories: list(shell.directories, string),
  }
}

/** Another version of bash may read it now, and has not shown yet that it can. */
function readFunction(value: unknown): ShellFunction {
  const { text, flags } = object(value)
  const letters = string(flags)
  if (!/^[a-z]+$/.test(letters)) throw new TypeError('flags')
  return { text: string(text), flags: letters, isProven: false }
}

function readChanges(value: unknown): OptionChanges {
  const { on, off } = object(value)
  return { on: list(on, optionName), off: list(off, optionName) }
}

function optionName(value: unknown): string {
  const name = string(value)
  if (!/^[a-z0-9_-]+$/.test(name)) throw new TypeError('option')
  return name
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('string')
  return value
}

function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('boolean')
  return value
}

function absolute(path: string): string {
  if (!path.startsWith('/') || path.includes('\0')) throw new TypeError('path')
  return path
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('integer')
  return value as number
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('object')
  return value as Record<string, unknown>
}

function list<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new TypeError('array')
  return value.map((item) => read(item))
}

function map<Value>(
  value: unknown,
  read: (value: unknown) => Value,
  readKey: (key: string) => string = (key) => key,
): Map<string, Value> {
  return new Map(
    list(value, (entry) => {
      const [key, item, ...rest] = list(entry, (each) => each)
      if (rest.length > 0) throw new TypeError('entry')
      return [readKey(string(key)), read(item)]
    }),
  )
}
