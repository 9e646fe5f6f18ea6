// What is said of a limit that was reached.

import { humanizeBytes } from '../output/bytes.js'
import type { BashResult } from '../run/result.js'

/** Such as `CPU time limit of 60s reached`; undefined when none was. */
export function reachedLimit({
  limit,
  limitValue = 0,
}: Pick<BashResult, 'limit' | 'limitValue'>): string | undefined {
  switch (limit) {
    case 'cpu':
      return `CPU time limit of ${limitValue}s reached`
    case 'fileSize':
      return `file size limit of ${humanizeBytes(limitValue)} reached`
    case 'scratch':
      return `scratch directory limit of ${humanizeBytes(limitValue)} reached`
    case 'memory':
      return `memory limit of ${humanizeBytes(limitValue)} reached`
    case 'processes':
      return `limit of ${limitValue} processes reached`
    default:
      return undefined
  }
}
