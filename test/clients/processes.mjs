// The processes of the namespace that a client is driven in.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {string} command its words
 */

/** @returns {Process[]} all that have not ended, but for those that drive the client */
export const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== 1 && pid !== process.pid)
    .map((pid) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command !== '')

/** Empty where there is none: it has ended. */
const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** Resolves with the milliseconds until `condition()` holds; undefined: it did not in time. */
export const waitUntil = async (condition, deadlineMs) => {
  const begin = Date.now()
  while (Date.now() - begin < deadlineMs) {
    if (condition()) return Date.now() - begin
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}
