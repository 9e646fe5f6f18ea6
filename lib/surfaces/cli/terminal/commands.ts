// The commands of the program that are about the terminals of jobs.

export { attachToJob } from './attach-command.js'
export { typeIntoJob } from './input-command.js'
export { runOnTerminal } from './run-tty.js'
export { printScreen } from './screen-command.js'
export { typeSecret } from './secret-command.js'
export { describeState } from './status-row.js'
export { waitForInput } from './wait-command.js'
