// What BashOutput tells beside the output of one command. Loaded with its first call.

export { bashOutputText } from './bash-output-text.js'
export { listJobs } from './job-list.js'
export { QuietJobs } from './quiet-jobs.js'
