// Where the package is. This file is one directory below it in both of its forms: lib/ and dist/bashward.js.

import { join } from 'node:path'

/** An absolute path; where the package was bundled into another program, it means nothing. */
export const packageRoot = join(__dirname, '..')
