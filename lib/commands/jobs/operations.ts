// What a store does with jobs. Loaded when it first does so: most programs that load the package start no job.

export { cleanUpJobs } from './clean-up.js'
export { explainJob } from './explain.js'
export { inspectJob, inspectJobs, supervisorOf } from './inspect.js'
export { killJob } from './kill.js'
export { readLastBytes } from './last-bytes.js'
export { jobNotFound } from './not-found.js'
export { checkReadOptions, readOutput } from './read.js'
export { isUnlisted } from './remove.js'
export { LineSearch } from './until.js'
export { waitForEnd } from './wait.js'
