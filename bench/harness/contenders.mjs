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
 * @property {boolean} onlyConfines whether it does nothing else, and starts commands by child_process.spawn otherwise
 * @property {boolean} keepsSession whether it has a shell that stays
 * @property {Record<string, string>} unfit metrics that it cannot take part in, and why
 * @property {{ kind: 'import' | 'require', entry: () => string }} [module] what a program loads to use it
 */

/**
 * Loads each contender once, in a process of its own.
 * @returns {Promise<{ contenders: Contender[], missing: string[] }>} missing: who does not take part, and why
 */
export async function findContenders() {
  const contenders = []
  const missing = []
  for (const file of fs.readdirSync(DIRECTORY).sort()) {
    const contender = await describe(file)
    try {
      await withHost((host) => host.call('load', { contender: contender.name }))
      contenders.push(contender)
    } catch (error) {
      missing.push(`${contender.title}: ${error.message}`)
    }
  }
  return { contenders, missing }
}

async function describe(file) {
  const { default: contender } = await import(new URL(file, DIRECTORY).href)
  const { title, peer = false, graceMs = 0, onlyConfines = false, unfit = {}, module } = contender
  return {
    name: file.replace(/\.mjs$/, ''),
    title,
    peer,
    graceMs,
    confines: contender.runConfined !== undefined,
    onlyConfines,
    keepsSession: contender.openSession !== undefined,
    unfit,
    module,
  }
}
