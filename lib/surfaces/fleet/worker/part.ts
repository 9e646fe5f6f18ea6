// What `bashward worker` has of a fleet, loaded at once.

export { checkWorkerName } from '../names.js'
export { checkConnection } from '../redis/connection.js'
export { readAcceptedKeys } from '../signing.js'
export { readStatus, type WorkerStatus } from './status.js'
export { FleetWorker } from './worker.js'
