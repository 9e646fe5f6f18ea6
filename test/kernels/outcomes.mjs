// Keeps what guests have reported, table by table, so that a run that was ended can be continued.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportsOf } from './reports.mjs'

/** @param {string} directory */
export const openOutcomes = (directory) => {
  mkdirSync(directory, { recursive: true })
  const pathOf = ({ row, user }, table) => join(directory, `${row.name}-${user}-${table}.json`)
  return {
    /**
     * @param {import('./reports.mjs').Table} table
     * @param {string} fingerprint of all that the reports depend on
     * @returns {Partial<import('./reports.mjs').Reports> | undefined}
     */
    find: (planned, table, fingerprint) => {
      try {
        const kept = JSON.parse(readFileSync(pathOf(planned, table), 'utf8'))
        return kept.fingerprint === fingerprint ? kept.reports : undefined
      } catch {
        // There is none, or a run was ended while it wrote.
        return undefined
      }
    },
    keep: (planned, table, fingerprint, reports) =>
      writeFileSync(
        pathOf(planned, table),
        JSON.stringify({ fingerprint, reports: reportsOf(reports, table) }),
      ),
  }
}
