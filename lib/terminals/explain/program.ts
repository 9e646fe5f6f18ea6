// The code of the process that looks, as a text: a file would have to be found, where bashward is bundled, and could be another
// one by then, where a command may write to the package.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../base/util/lazy.js'
import { packageRoot } from '../../package-root.js'

/** Written into dist/ by the build; in a checkout's lib/ there is none. */
declare const BASHWARD_LOOK: string | undefined

/** A CommonJS module that exports `main`. */
export const lookProgram = once((): string =>
  typeof BASHWARD_LOOK === 'string'
    ? BASHWARD_LOOK
    : readFileSync(join(packageRoot, 'dist/explain/look/main.js'), 'utf8'),
)
