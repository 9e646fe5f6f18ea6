// What was seen of each client, kept between runs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Outcome what drive.mjs has seen of one run
 * @property {Record<string, { text: string, isError?: boolean | undefined, afterMs: number }>} acts what the model was shown
 * @property {string} [protocol]
 * @property {string} [toolName] what it calls our `bash`
 * @property {string[]} ownShell its own shell tools that the model was shown
 * @property {string[]} left processes that went on when the client had ended
 * @property {string[]} leftOwn likewise, of the client itself
 * @property {boolean | undefined} [started] whether the command ran that a signal was to end
 * @property {number | undefined} [commandGoneMs] from the signal to the end of the command
 * @property {number} [clientGoneMs] from then to the end of the client
 */

/** @param {string} directory */
export function openOutcomes(directory) {
  const path = ({ name, version, build, run }) => join(directory, `${name}-${version}-${build}-${run}.json`)
  return {
    keep(of, outcome) {
      mkdirSync(directory, { recursive: true })
      writeFileSync(path(of), `${JSON.stringify(outcome, null, 2)}\n`)
    },
    /** @returns {Outcome | undefined} */
    find(of) {
      try {
        return JSON.parse(readFileSync(path(of), 'utf8'))
      } catch (error) {
        if (error.code !== 'ENOENT') throw error
        return undefined
      }
    },
  }
}
