// The working directory of a session, and where it goes when that is no longer there.

import { isUtf8 } from 'node:buffer'
// Not from node:fs/promises: that is loaded when `promises` is read.
import { constants, promises } from 'node:fs'
import { type ByteString, decodeText, toBuffer } from './bytes.js'

/**
 * The directory for the system call that starts the shell. A name that is not UTF-8 does not survive in a string of
 * JavaScript: the shell starts at the root then, and the prologue enters the directory.
 */
export function startDirectory(directory: ByteString): string {
  return isUtf8(toBuffer(directory)) ? decodeText(directory) : '/'
}

/** The nearest directory above that exists and may be entered. */
export async function nearestDirectory(directory: ByteString): Promise<ByteString> {
  for (let path = parentOf(directory); path !== '/'; path = parentOf(path)) {
    if (await canEnter(path)) return path
  }
  return '/'
}

function parentOf(path: ByteString): ByteString {
  const end = path.replace(/\/+$/, '').lastIndexOf('/')
  return end <= 0 ? '/' : path.slice(0, end)
}

async function canEnter(path: ByteString): Promise<boolean> {
  try {
    await promises.access(toBuffer(path), constants.X_OK)
    return (await promises.stat(toBuffer(path))).isDirectory()
  } catch {
    return false
  }
}
