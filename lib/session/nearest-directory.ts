// Where a session goes when its working directory is no longer there.

// Not from node:fs/promises: that is loaded when `promises` is read.
import { constants, promises } from 'node:fs'
import { type ByteString, toBuffer } from './state.js'

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
