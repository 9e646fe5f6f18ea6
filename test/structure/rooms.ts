// The rooms of lib from the bottom up: each imports only from those before it, types included. So do their groups.

/** Rooms, as folders and files of lib; a file of lib that is named nowhere belongs to the last floor. */
export const floors: readonly string[] = [
  'package-root',
  'needs-node',
  'base/errors',
  'base/util',
  'processes/output',
  'processes/engine',
  'processes/environment',
  'guard/proxy',
  'guard/safety',
  'guard/sandbox',
  'guard/verdicts',
  'terminals/explain',
  'terminals/terminal',
  'commands/jobs',
  'commands/session',
  'commands/run',
  'commands/calls',
  'tools',
  'surfaces/mcp',
  'surfaces/adapters',
  'surfaces/fleet',
  'surfaces/cli',
]

/** The room of a file: `lib/commands/jobs/watch/watch.ts` is in `commands/jobs`, `lib/tools/modes.ts` in `tools`. */
export const roomOf = (file: string): string => {
  const [, ...names] = file.replace(/\.m?ts$/, '').split('/')
  return floors.find((room) => room === names.slice(0, 2).join('/')) ?? names[0] ?? ''
}

/** The group of a room; `tools` is both. */
export const groupOf = (room: string): string => room.split('/')[0] ?? ''

/** How far up it is; the entry points are above all. */
export const floorOf = (file: string): number => {
  const floor = floors.indexOf(roomOf(file))
  return floor < 0 ? floors.length : floor
}
