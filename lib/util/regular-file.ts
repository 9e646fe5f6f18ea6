// Opening a file of this process's own by a name that a command may have given to something else since.

import { constants, promises } from 'node:fs'
import { constants as os } from 'node:os'

/**
 * No link is followed, and no pipe is waited for.
 *
 * @param access how it is opened: `constants.O_RDONLY` (default) or `constants.O_RDWR`
 * @throws the system's error; EINVAL for what is no regular file, or has another name besides
 */
export async function openRegularFile(
  path: string,
  access: number = constants.O_RDONLY,
): Promise<promises.FileHandle> {
  const file = await promises.open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const found = await file.stat()
  if (found.isFile() && found.nlink <= 1) return file
  await file.close()
  throw Object.assign(new Error(`EINVAL: this is not the file that was made there: ${path}`), {
    code: 'EINVAL',
    errno: -os.errno.EINVAL,
    path,
  })
}
