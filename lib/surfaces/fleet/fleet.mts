// The same surface for `import`: one implementation, so one of each class in both worlds.

export type * from './fleet.js'
export { createFleet, fleetChannel } from './fleet.js'
