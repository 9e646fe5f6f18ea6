// Programs that are one file with Node in it: their `process.execPath` starts the program again, not Node.

/** Whether this process is one, made by `pkg` or as a single executable application of Node. */
export function isOneFileProgram(): boolean {
  return 'pkg' in process || isSingleExecutable()
}

function isSingleExecutable(): boolean {
  try {
    const { isSea }: { isSea(): boolean } = require('node:sea')
    return isSea()
  } catch {
    return false // Before Node 20.12.
  }
}
