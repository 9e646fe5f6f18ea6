// Snapshots of sessions: sealed with a key of the host, since restoring one is running code. Loaded with the first one.
//
// The format: "bashward-snapshot" and a byte with its version; 32 random bytes; the contents by AES-256-GCM, whose key and
// nonce come from the host's key and those bytes by HKDF-SHA256; the tag, 16 bytes. What precedes the contents is
// authenticated with them.

import { types } from 'node:util'
import { BashError } from '../../base/errors.js'
import { checkIdentifier } from '../../base/util/identifier.js'
import { checkAbortSignal, checkInteger, checkObject, invalidInput } from '../../base/util/invalid-input.js'
import { crypto } from '../../base/util/lazy.js'
import { readContents, type SessionContents, writeContents } from './snapshot-contents.js'

interface SealOptions {
  /** 32 bytes that only the host knows. Keep them where no command can read them, and never beside the snapshots. */
  key: Uint8Array
  /** Binds the snapshot to a conversation: it can be restored for no other. 1 to 1024 bytes. Default: none. */
  conversationId?: string | undefined
  /** Bytes that a snapshot may have, 65536…268435456. Default 16777216. */
  maxBytes?: number | undefined
}

export interface SnapshotOptions extends SealOptions {
  /** Aborting it ends the waiting for calls that run. */
  cancel?: AbortSignal | undefined
}

export interface RestoreOptions extends SealOptions {
  /** Refuses a snapshot with a lower `sequence`: an old one that somebody has put in place of the newest. Default 0. */
  minSequence?: number | undefined
}

export interface SessionSnapshot {
  /** Encrypted and authenticated. */
  data: Uint8Array
  /** How many calls the session has had, those before it was restored among them. */
  sequence: number
}

const keyBytes = 32
const saltBytes = 32
const nonceBytes = 12
const tagBytes = 16
const sizeRange = [64 * 1024, 256 * 1024 * 1024] as const
const defaultSize = 16 * 1024 * 1024

const version = 1
const magic = Buffer.from('bashward-snapshot')
const header = Buffer.concat([magic, Buffer.from([version])])
const contentsAt = header.length + saltBytes

const sealNames = ['key', 'conversationId', 'maxBytes'] as const satisfies readonly (keyof SealOptions)[]
const snapshotNames = [...sealNames, 'cancel'] as const satisfies readonly (keyof SnapshotOptions)[]
const restoreNames = [...sealNames, 'minSequence'] as const satisfies readonly (keyof RestoreOptions)[]

/** @throws {BashError} ERR_INVALID_INPUT naming the field */
export function checkSnapshotOptions(options: unknown): SealFields & { cancel: AbortSignal | undefined } {
  const { cancel, ...fields } = checkObject('options', options, snapshotNames)
  return { ...checkSealFields(fields), cancel: checkAbortSignal('cancel', cancel) }
}

interface SealFields extends SealOptions {
  maxBytes: number
}

function checkSealFields({
  key,
  conversationId,
  maxBytes = defaultSize,
}: Record<string, unknown>): SealFields {
  if (!types.isUint8Array(key) || key.length !== keyBytes) {
    // The message must not show a key.
    throw new BashError('ERR_INVALID_INPUT', `key: must be a Uint8Array of ${keyBytes} bytes`)
  }
  return {
    key,
    conversationId:
      conversationId === undefined ? undefined : checkIdentifier('conversationId', conversationId),
    maxBytes: checkInteger('maxBytes', maxBytes, sizeRange, 'bytes'),
  }
}

/** @throws {BashError} ERR_TOO_LARGE */
export function seal(
  contents: SessionContents,
  { key, conversationId, maxBytes }: SealFields,
): SessionSnapshot {
  const plain = writeContents(contents, conversationId)
  const size = contentsAt + plain.length + tagBytes
  if (size > maxBytes) throw tooLarge(size, maxBytes)
  const salt = crypto().randomBytes(saltBytes)
  const cipher = crypto()
    .createCipheriv('aes-256-gcm', ...deriveKey(key, salt))
    .setAAD(header)
  const data = Buffer.concat([header, salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return { data, sequence: contents.sequence }
}

/**
 * @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_TOO_LARGE, ERR_SNAPSHOT_VERSION, ERR_SNAPSHOT,
 *   ERR_SNAPSHOT_STALE
 */
export function open(data: unknown, options: unknown): SessionContents {
  if (!types.isUint8Array(data)) throw invalidInput('snapshot', 'must be a Uint8Array', data)
  const { minSequence = 0, ...fields } = checkObject('options', options, restoreNames)
  const least = checkInteger('minSequence', minSequence, [0, Number.MAX_SAFE_INTEGER])
  const { key, conversationId, maxBytes } = checkSealFields(fields)
  if (data.length > maxBytes) throw tooLarge(data.length, maxBytes)
  const { contents, conversation } = readContents(unseal(Buffer.from(data), key))
  if (conversation !== conversationId) {
    throw new BashError('ERR_SNAPSHOT', 'the snapshot belongs to another conversation')
  }
  if (contents.sequence < least) {
    const message = `the snapshot is older than asked for: its sequence is ${contents.sequence}, minSequence ${least}`
    throw new BashError('ERR_SNAPSHOT_STALE', message)
  }
  return contents
}

/** @returns what `seal` has written, byte for byte */
function unseal(data: Buffer, key: Uint8Array): Buffer {
  if (!data.subarray(0, magic.length).equals(magic)) {
    throw new BashError('ERR_SNAPSHOT', 'this is no snapshot of a session')
  }
  const found = data[magic.length]
  if (found !== undefined && found !== version) {
    const message = `the snapshot has version ${found}; this bashward restores version ${version}`
    throw new BashError('ERR_SNAPSHOT_VERSION', message)
  }
  const end = data.length - tagBytes
  if (end < contentsAt) throw unauthentic()
  const derived = deriveKey(key, data.subarray(header.length, contentsAt))
  const decipher = crypto().createDecipheriv('aes-256-gcm', ...derived, { authTagLength: tagBytes })
  decipher.setAAD(header).setAuthTag(data.subarray(end))
  try {
    return Buffer.concat([decipher.update(data.subarray(contentsAt, end)), decipher.final()])
  } catch (cause) {
    throw unauthentic(cause)
  }
}

/** A key for each snapshot: a nonce of GCM must not come twice with one key, and random ones would after some billions. */
function deriveKey(key: Uint8Array, salt: Uint8Array): [key: Buffer, nonce: Buffer] {
  const bytes = Buffer.from(crypto().hkdfSync('sha256', key, salt, header, keyBytes + nonceBytes))
  return [bytes.subarray(0, keyBytes), bytes.subarray(keyBytes)]
}

function unauthentic(cause?: unknown): BashError {
  const message = 'the snapshot has been changed or cut, or was made with another key'
  return new BashError('ERR_SNAPSHOT', message, { cause })
}

function tooLarge(size: number, limit: number): BashError {
  return new BashError('ERR_TOO_LARGE', `the snapshot has ${size} bytes, and maxBytes is ${limit}`)
}
