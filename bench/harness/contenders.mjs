// Finds the contenders: every file in contenders/ is one.

import fs from 'node:fs'
import { withHost } from './host-client.mjs'

const DIRECTORY = new URL('../contenders/', import.meta.url)

/** The name under which bashward's own figures are filed. */
export const OURS = 'bashward'

/** The name under which the figures of native/floor.c are filed. */
export const LIMIT = 'limit'

/**
 * @typedef {object} Contender
 * @property {string} name the file's name without its ending
 * @property {string} title
 * @property {boolean} peer whether it is something that people use instead of bashward
 * @property {number} graceMs time it gives a cancelled command between SIGTERM and SIGKILL
 * @property {boolean} confines whether it can run a command in a sandbox
 * @property {string[]} unfit names of the metrics that it cannot take part in
 */

/**
 * Loads each contender once, in a process of its own.
 * @returns {Promise<{ contenders: Contender[], missing: string[] }>} missing: who does not take part, and why
 */
export async function findContenders() {
  const contenders = []
  const missing = []
  for (const file of fs.readdirSync(DIRECTORY).sort()) {
    const name = file.replace(/\.mjs$/, '')
    const {
      title,
      peer = false,
      graceMs = 0,
      unfit = [],
      runConfined,
    } = (await import(new URL(file, DIRECTORY).href)).default
    try {
      await withHost((host) => host.call('load', { contender: name }))
      contenders.push({ name, title, peer, graceMs, unfit, confines: runConfined !== undefined })
    } catch (error) {
      missing.push(`${title}: ${error.message}`)
    }
  }
  return { contenders, missing }
}
