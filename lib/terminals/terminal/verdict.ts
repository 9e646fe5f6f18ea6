// What the program in the foreground of a terminal does.

/** In the order of the supervisor's own. */
export const terminalVerdicts = [
  'unknown',
  'line',
  'keys',
  'password',
  'watching',
  'relay',
  'hidden',
  'stopped',
  'busy',
  'sleep',
  'net',
  'lock',
  'pipe',
  'listen',
  'disk',
  'other',
] as const

/**
 * What the program in the foreground does, as the kernel tells it.
 *
 * - `line`, `keys`, `password`: it waits for a line, for keys, or for a line that is not shown
 * - `watching`: it accepts keys, and does something else meanwhile, as vim and top do
 * - `relay`: it passes keys on to somebody else, as ssh does; `hidden`: it may not be looked into, as sudo. Whether input is
 *   waited for then, `likely` tells
 * - `stopped`: it was stopped, as what reads the terminal from the background is
 * - `busy`, `sleep`, `net`, `lock`, `pipe`, `listen`, `disk`, `other`: it computes, or waits for something else
 * - `unknown`: that could not be found out
 */
export type TerminalVerdict = (typeof terminalVerdicts)[number]
