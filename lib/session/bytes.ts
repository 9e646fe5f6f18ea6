// Bytes as strings of one character a byte (latin1): what bash holds need not be UTF-8, and a string can be
// searched, compared and put together more easily than a Buffer.

/** A string whose characters are all below U+0100, one for each byte. */
export type ByteString = string

export function fromBuffer(bytes: Buffer): ByteString {
  return bytes.toString('latin1')
}

export function toBuffer(bytes: ByteString): Buffer {
  return Buffer.from(bytes, 'latin1')
}

/** The UTF-8 bytes of a text. */
export function encodeText(text: string): ByteString {
  return Buffer.from(text).toString('latin1')
}

/** The text; bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: ByteString): string {
  return toBuffer(bytes).toString()
}
