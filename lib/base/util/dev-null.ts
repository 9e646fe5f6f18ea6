// /dev/null, which not every small container has: each command needs it.

import { accessSync, constants } from 'node:fs'
import type { SystemFailure } from '../errors.js'

const path = '/dev/null'

/** What has failed with this number, where it was that: looked at then, since the error does not say so. */
export function withoutNull(errno: number): SystemFailure | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return -((error as NodeJS.ErrnoException).errno ?? 0) === errno
      ? { step: 'open', errno, path }
      : undefined
  }
}
