// The version of this package.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'))
  return version
}
