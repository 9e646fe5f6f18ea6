// The names of keys, as tmux spells them, and the bytes that a terminal sends for each (xterm's, which TERM says it is).

import { invalidInput } from '../../base/util/invalid-input.js'
import { nearest } from '../../base/util/nearest.js'

const named: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  btab: '\x1b[Z',
  escape: '\x1b',
  space: ' ',
  bspace: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  ic: '\x1b[2~',
  insert: '\x1b[2~',
  dc: '\x1b[3~',
  delete: '\x1b[3~',
  ppage: '\x1b[5~',
  pageup: '\x1b[5~',
  pgup: '\x1b[5~',
  npage: '\x1b[6~',
  pagedown: '\x1b[6~',
  pgdn: '\x1b[6~',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
}

/** As people would look for them. */
const spelled = [
  ...['Enter', 'Tab', 'BTab', 'Escape', 'Space', 'BSpace', 'Up', 'Down', 'Right', 'Left', 'Home', 'End'],
  ...['IC', 'DC', 'PPage', 'NPage', 'F1', 'F12', 'C-c', 'C-d', 'M-x', 'S-Up'],
]

const maxKeys = 256

/**
 * @param keys each a name such as `Up`, `C-c`, `M-x`, `S-Right`, in any case, or a single character
 * @throws {BashError} ERR_INVALID_INPUT naming the key that is none
 */
export function bytesOfKeys(field: string, keys: readonly unknown[]): Buffer {
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys) {
    throw invalidInput(field, `must be an array of 1 to ${maxKeys} names of keys`, keys)
  }
  return Buffer.concat(keys.map((key, index) => bytesOfKey(`${field}[${index}]`, key)))
}

function bytesOfKey(field: string, key: unknown): Buffer {
  const sequence = typeof key === 'string' ? sequenceOf(key) : undefined
  if (sequence !== undefined) return Buffer.from(sequence)
  const meant = typeof key === 'string' ? nearest(key, spelled) : undefined
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw invalidInput(
    field,
    `must be a single character or the name of a key: ${spelled.join(', ')} and the like${hint}`,
    key,
  )
}

const withModifiers = /^((?:[cms]-)*)(.+)$/isu
const cursorKey = /^\x1b\[(?<final>[A-DFH])$/
const functionKey = /^\x1bO(?<final>[P-S])$/
const editingKey = /^\x1b\[(?<number>\d+)~$/

function sequenceOf(key: string): string | undefined {
  const plain = named[key.toLowerCase()] ?? (isCharacter(key) ? key : undefined)
  if (plain !== undefined) return plain
  const [, modifiers = '', name = ''] = withModifiers.exec(key) ?? []
  if (modifiers === '') return undefined
  const given = new Set(modifiers.toLowerCase().split('-'))
  const [control, meta, shift] = [given.has('c'), given.has('m'), given.has('s')]
  const base = named[name.toLowerCase()]
  if (base !== undefined) {
    const modified = withModifier(base, 1 + Number(shift) + 2 * Number(meta) + 4 * Number(control))
    if (modified !== undefined) return modified
    if (shift && !control && !meta) return base === '\t' ? '\x1b[Z' : undefined
  }
  const character = base?.length === 1 ? base : isCharacter(name) ? name : undefined
  if (character === undefined || shift) return undefined
  const typed = control ? controlOf(character) : character
  return typed === undefined ? undefined : meta ? `\x1b${typed}` : typed
}

/** As xterm sends cursor, function and editing keys with shift (1), meta (2) and control (4). */
function withModifier(sequence: string, modifier: number): string | undefined {
  const final = cursorKey.exec(sequence)?.groups?.final ?? functionKey.exec(sequence)?.groups?.final
  if (final !== undefined) return `\x1b[1;${modifier}${final}`
  const number = editingKey.exec(sequence)?.groups?.number
  return number === undefined ? undefined : `\x1b[${number};${modifier}~`
}

function controlOf(character: string): string | undefined {
  if (character === ' ' || character === '@') return '\0'
  if (character === '?') return '\x7f'
  const upper = character.toUpperCase()
  const code = upper.charCodeAt(0)
  return upper.length === 1 && code >= 0x41 && code <= 0x5f ? String.fromCharCode(code - 0x40) : undefined
}

/** One character of any script, and no control character. */
const isCharacter = (key: string): boolean => /^[^\p{Cc}\p{Cs}]$/u.test(key)
