// Signals as results name them.

import { constants } from 'node:os'

const names = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))
// SIGIOT and SIGPOLL are other names of these two.
names.set(constants.signals.SIGABRT, 'SIGABRT').set(constants.signals.SIGIO, 'SIGIO')

/** Node has no names for real-time signals: they are called `signal 35`. */
export function signalName(number: number): string {
  return names.get(number) ?? `signal ${number}`
}

/** @param name as {@link signalName} gives it */
export function signalNumber(name: string): number {
  return constants.signals[name as NodeJS.Signals] ?? Number(name.replace('signal ', ''))
}
