// The rooms of lib from the bottom up: each imports only from those before it, types included.

/** The folders of lib, and its files; a file of lib that is named nowhere belongs to the last floor. */
export const floors: readonly string[] = [
  'errors',
  'package-root',
  'needs-node',
  'util',
  'output',
  'engine',
  'environment',
  'proxy',
  'safety',
  'sandbox',
  'verdicts',
  'explain',
  'terminal',
  'jobs',
  'session',
  'run',
  'calls',
  'tools',
  'mcp',
  'adapters',
  'fleet',
  'cli',
]

/** The room of a file, as `lib/jobs/watch/watch.ts` is in `jobs`. */
export const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.m?ts$/, '') ?? ''

/** How far up it is; the entry points are above all. */
export const floorOf = (file: string): number => {
  const floor = floors.indexOf(roomOf(file))
  return floor < 0 ? floors.length : floor
}
