// The code of the thread that draws, as a text: a file would have to be found, where bashward is bundled, and could be another
// one by then, where a command may write to the package.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../base/util/lazy.js'
import { packageRoot } from '../../package-root.js'

/** Written into dist/ by the build; in a checkout's lib/ there is none. */
declare const BASHWARD_SCREEN: string | undefined

export const screenProgram = once((): string =>
  typeof BASHWARD_SCREEN === 'string'
    ? BASHWARD_SCREEN
    : readFileSync(join(packageRoot, 'dist/terminal/worker/main.js'), 'utf8'),
)
