// Who may have commands run: requests carry an Ed25519 signature. Workers have public keys only, so one that a command has
// taken over can sign nothing.

import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'
import { BashError } from '../../base/errors.js'
import { crypto } from '../../base/util/lazy.js'
import type { SignedRequest } from './request.js'
import { isWellFormed } from './well-formed.js'

/** So that a signature for something else is none for a request. */
const domain = 'bashward fleet request 1\n'

const bytesToSign = (body: string): Buffer => Buffer.from(domain + body)

/** A private key: PEM text, or a KeyObject. @throws {BashError} ERR_INVALID_INPUT, which never shows the key */
export function checkSigningKey(field: string, value: unknown): KeyObject {
  let key: KeyObject
  try {
    key = isKeyObject(value) ? value : crypto().createPrivateKey(value as string)
  } catch (cause) {
    throw wrongKey(field, 'a private key: PEM, or a KeyObject', cause)
  }
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') throw wrongKey(field, 'a private key')
  return key
}

const isKeyObject = (value: unknown): value is KeyObject => types.isKeyObject(value)

function wrongKey(field: string, need: string, cause?: unknown): BashError {
  return new BashError('ERR_INVALID_INPUT', `${field}: must be an Ed25519 key, ${need}`, { cause })
}

/** The first 16 digits of the SHA-256 of a public key. */
export function keyName(key: KeyObject): string {
  const publicKey = key.type === 'private' ? crypto().createPublicKey(key) : key
  const bytes = publicKey.export({ format: 'der', type: 'spki' })
  return crypto().createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** Public keys by their names. */
export type AcceptedKeys = ReadonlyMap<string, KeyObject>

const pem = /-----BEGIN ([A-Z ]+)-----[^-]*-----END \1-----/g

/**
 * The public keys of a PEM text, one behind the other.
 *
 * @throws {BashError} ERR_INVALID_INPUT for a private key, another kind of key, or none at all
 */
export function readAcceptedKeys(field: string, text: string): AcceptedKeys {
  const keys = new Map<string, KeyObject>()
  for (const [block, kind] of text.matchAll(pem)) {
    if (kind !== 'PUBLIC KEY') throw wrongKey(field, `a public one: a worker must not have a ${kind}`)
    let key: KeyObject
    try {
      key = crypto().createPublicKey(block)
    } catch (cause) {
      throw wrongKey(field, 'a public one', cause)
    }
    if (key.asymmetricKeyType !== 'ed25519')
      throw wrongKey(field, `a public one, not ${key.asymmetricKeyType}`)
    keys.set(keyName(key), key)
  }
  if (keys.size === 0) throw wrongKey(field, 'a public one in PEM')
  return keys
}

export function sign(body: string, key: KeyObject, name = keyName(key)): SignedRequest {
  return { body, key: name, signature: crypto().sign(null, bytesToSign(body), key).toString('base64') }
}

/** Whether one of the keys has signed exactly these bytes. */
export function isSigned({ body, key, signature }: SignedRequest, keys: AcceptedKeys): boolean {
  const publicKey = keys.get(key)
  // Two texts that differ there have the same bytes, and the same signature.
  if (publicKey === undefined || !isWellFormed(body)) return false
  try {
    return crypto().verify(null, bytesToSign(body), publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
