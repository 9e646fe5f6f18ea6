// The files of docs/temporal.md, as the directory of a worker has them.
import { applyDiff, blocksOf, filesOf } from '../blocks.mjs'

/** Of the page: what would make a check take minutes, or is the same for all workers of a machine. */
const replaced = [
  ["heartbeatTimeout: '15 seconds'", "heartbeatTimeout: '8 seconds'"],
  ['hostname()', 'process.env.MACHINE'],
]

/** @returns their texts, by their names */
export function temporalFiles(directory) {
  const files = { ...filesOf('temporal'), ...filesOf('calls') }
  files['activities-with-sessions.js'] = applyDiff(files['activities.js'], blocksOf('temporal', 'diff')[0])
  for (const [name, code] of Object.entries(files)) {
    const own = code.replaceAll('/srv/worker', directory).replaceAll('/srv/project', `${directory}/project`)
    files[name] = replaced.reduce((text, [from, to]) => text.replace(from, to), own)
  }
  return files
}
