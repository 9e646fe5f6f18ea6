// Removing a directory in which somebody who is not trusted may be at work: none of its names is followed anywhere else.

import { constants, promises as fs } from 'node:fs'

/** Each level holds a descriptor. */
const maxDepth = 200

/** A symbolic link is an error: ELOOP or ENOTDIR. */
const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * As `rm -rf` does, but that it also takes what its owner cannot write to, as Go has its modules. Node's own goes by paths:
 * whoever exchanges a directory for a link at the right moment has it remove something else.
 *
 * @param path of a directory in one that can be trusted
 * @throws the system's error; then a part of it may be left
 */
export async function removeTree(path: string): Promise<void> {
  await empty(path, maxDepth)
  await fs.rmdir(path)
}

async function empty(path: string, depth: number): Promise<void> {
  const handle = await fs.open(path, directoryFlags)
  try {
    await handle.chmod(0o700)
    const inside = `/proc/self/fd/${handle.fd}`
    for (const entry of await fs.readdir(inside, { withFileTypes: true })) {
      const name = `${inside}/${entry.name}`
      if (!entry.isDirectory()) await fs.unlink(name)
      else {
        if (depth > 0) await empty(name, depth - 1)
        await fs.rmdir(name)
      }
    }
  } finally {
    await handle.close()
  }
}
