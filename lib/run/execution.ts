// What starts commands, and makes results of them: loaded with the first command.

export { execute } from './execute.js'
export { startJob } from './start-job.js'
