// What a session tells its shell, and hears from it: loaded with the first call.

export { prologueDescriptor } from './descriptors.js'
export { buildPrologue } from './prologue.js'
export { readRecord } from './record.js'
export { inSteps } from './steps.js'
