// Keeps the outcomes of boots, so that a run that was ended can be continued.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} directory */
export const openOutcomes = (directory) => {
  mkdirSync(directory, { recursive: true })
  const pathOf = ({ row, user }) => join(directory, `${row.name}-${user}.json`)
  return {
    /**
     * @param {string} fingerprint of all that the outcome depends on
     * @returns {import('./verdict.mjs').Outcome | undefined}
     */
    find: (planned, fingerprint) => {
      try {
        const kept = JSON.parse(readFileSync(pathOf(planned), 'utf8'))
        return kept.fingerprint === fingerprint ? kept.outcome : undefined
      } catch {
        // There is none, or a run was ended while it wrote.
        return undefined
      }
    },
    keep: (planned, fingerprint, outcome) =>
      writeFileSync(pathOf(planned), JSON.stringify({ fingerprint, outcome })),
  }
}
