// What a session tells its shell, and hears from it: loaded with the first call.

export { buildPrologue } from './prologue.js'
export { readRecord } from './read-record.js'
export { prologueDescriptor } from './shell-code.js'
