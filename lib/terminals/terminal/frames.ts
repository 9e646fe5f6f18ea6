// The messages of native/process/terminal_protocol.h, as bytes. Numbers are in the machine's own order, and both
// machines that bashward runs on natively have the same.

/** How a terminal is, as its supervisor tells it: numbers stand for what state.ts names. */
export interface StateFields {
  tag: number
  reason: number
  verdict: number
  flags: number
  rows: number
  columns: number
  foreground: number
  pid: number
  unread: number
  queued: number
  quietMs: number
  offset: number
  dropped: number
  /** Of a process: any bytes. */
  name: Buffer
  /** Of that process, in clock ticks since the machine has started; 0: not known. */
  startTime: number
  /** What was printed in the line of the cursor: any bytes. */
  line: Buffer
}

/** What became of typed bytes. */
export interface TakenFields {
  tag: number
  /** 0, or an error number. */
  error: number
  accepted: number
  unread: number
  queued: number
  dropped: number
}

/** What became of a secret. */
export interface SecretTakenFields {
  tag: number
  /** 0, or an error number. */
  error: number
  /** Who else reads the terminal; 0: nobody. */
  pid: number
  /** Of that process: any bytes. */
  name: Buffer
}

export type Answer =
  | { type: 'hello' }
  | ({ type: 'taken' } & TakenFields)
  | ({ type: 'secretTaken' } & SecretTakenFields)
  | ({ type: 'state' } & StateFields)

const types = {
  hello: 0x101,
  input: 0x102,
  taken: 0x103,
  resize: 0x104,
  query: 0x105,
  state: 0x106,
  wait: 0x107,
  secret: 0x108,
  secretTaken: 0x109,
}
const magic = 0x31747762
const headerBytes = 8
const stateBytes = 288

/** Bytes of one Input. */
export const maxInputBytes = 64 * 1024 - 8

const frame = (type: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(type, 0)
  header.writeUInt32LE(body.length, 4)
  return Buffer.concat([header, body])
}

const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

export const inputFrame = (tag: number, bytes: Buffer): Buffer =>
  frame(types.input, Buffer.concat([words(tag, 0), bytes]))

export function resizeFrame(tag: number, rows: number, columns: number): Buffer {
  const body = Buffer.alloc(8)
  body.writeUInt32LE(tag, 0)
  body.writeUInt16LE(rows, 4)
  body.writeUInt16LE(columns, 6)
  return frame(types.resize, body)
}

export const queryFrame = (tag: number): Buffer => frame(types.query, words(tag))

export interface WaitFields {
  deadlineMs: number
  /** 0: never. */
  quietMs: number
  fromOffset: number
}

export function waitFrame(tag: number, { deadlineMs, quietMs, fromOffset }: WaitFields): Buffer {
  const body = Buffer.alloc(24)
  body.writeUInt32LE(tag, 0)
  body.writeUInt32LE(deadlineMs, 4)
  body.writeUInt32LE(quietMs, 8)
  body.writeBigUInt64LE(BigInt(fromOffset), 16)
  return frame(types.wait, body)
}

export interface SecretFields {
  /** Whether the host has seen at the cursor that it is asked for. */
  seen: boolean
  pid: number
  startTime: number
  offset: number
}

/** In memory of its own, for {@link Buffer.fill}. */
export function secretFrame(tag: number, secret: Uint8Array, fields: SecretFields): Buffer {
  const size = 32 + secret.length
  const bytes = Buffer.alloc(headerBytes + size)
  bytes.writeUInt32LE(types.secret, 0)
  bytes.writeUInt32LE(size, 4)
  const body = bytes.subarray(headerBytes)
  body.writeUInt32LE(tag, 0)
  body.writeUInt32LE(fields.seen ? 1 : 0, 4)
  body.writeInt32LE(fields.pid, 8)
  body.writeBigUInt64LE(BigInt(fields.startTime), 16)
  body.writeBigUInt64LE(BigInt(fields.offset), 24)
  body.set(secret, 32)
  return bytes
}

/** Puts answers together from the pieces of a stream. */
export class AnswerReader {
  #rest: Buffer = Buffer.alloc(0)

  /** @throws {Error} when it is none of ours */
  read(piece: Buffer): Answer[] {
    const answers: Answer[] = []
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    while (this.#rest.length >= headerBytes) {
      const size = this.#rest.readUInt32LE(4)
      if (size > stateBytes) throw new Error(`a message of ${size} bytes`)
      if (this.#rest.length < headerBytes + size) break
      const type = this.#rest.readUInt32LE(0)
      const body = this.#rest.subarray(headerBytes, headerBytes + size)
      this.#rest = this.#rest.subarray(headerBytes + size)
      answers.push(parseAnswer(type, body))
    }
    return answers
  }
}

function parseAnswer(type: number, body: Buffer): Answer {
  if (type === types.hello && body.length === 8 && body.readUInt32LE(0) === magic) return { type: 'hello' }
  if (type === types.taken && body.length === 24) {
    const [tag, , accepted, unread, queued, dropped] = [0, 4, 8, 12, 16, 20].map((at) =>
      body.readUInt32LE(at),
    )
    return { type: 'taken', tag, error: body.readInt32LE(4), accepted, unread, queued, dropped } as Answer
  }
  if (type === types.secretTaken && body.length === 32) {
    const name = nameAt(body, 12)
    return {
      type: 'secretTaken',
      tag: body.readUInt32LE(0),
      error: body.readInt32LE(4),
      pid: body.readInt32LE(8),
      name,
    }
  }
  if (type === types.state && body.length === stateBytes) return { type: 'state', ...parseState(body) }
  throw new Error(`a message of type ${type}, ${body.length} bytes`)
}

/** Behind its length. */
const nameAt = (body: Buffer, at: number, most = 15): Buffer =>
  Buffer.from(body.subarray(at + 4, at + 4 + Math.min(body.readUInt32LE(at), most)))

const parseState = (body: Buffer): StateFields => ({
  tag: body.readUInt32LE(0),
  reason: body.readUInt32LE(4),
  verdict: body.readUInt32LE(8),
  flags: body.readUInt32LE(12),
  rows: body.readUInt16LE(16),
  columns: body.readUInt16LE(18),
  foreground: body.readInt32LE(20),
  pid: body.readInt32LE(24),
  unread: body.readUInt32LE(28),
  queued: body.readUInt32LE(32),
  quietMs: body.readUInt32LE(36),
  offset: Number(body.readBigUInt64LE(40)),
  dropped: Number(body.readBigUInt64LE(48)),
  name: nameAt(body, 56),
  startTime: Number(body.readBigUInt64LE(80)),
  line: Buffer.from(body.subarray(88, 88 + Math.min(body.readUInt32LE(76), 196))),
})
