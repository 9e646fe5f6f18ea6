// The version of this package.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return version
}
