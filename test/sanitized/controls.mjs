// Checks that the sanitizers report what they are there for: the mistakes of faulty_addon.cc, one per process.
import { spawnSync } from 'node:child_process'
import { takeReports } from './reports.mjs'

/** Its function, and what the report has to say. */
const CONTROLS = {
  heapOverflow: /AddressSanitizer: heap-buffer-overflow/,
  heapOverflowInThread: /AddressSanitizer: heap-buffer-overflow/,
  useAfterFree: /AddressSanitizer: heap-use-after-free/,
  useAfterFreeInThread: /AddressSanitizer: heap-use-after-free/,
  signedOverflow: /runtime error: signed integer overflow/,
  signedOverflowInThread: /runtime error: signed integer overflow/,
  leak: /leak of 1000 byte/,
}

/**
 * @param {{ node: string, reports: string }} launcher of launcher.mjs
 * @param {string} addon the faulty one
 * @returns {string[]} what was not reported: one line each
 */
export function failedControls({ node, reports }, addon) {
  return Object.entries(CONTROLS).flatMap(([name, expected]) => {
    const program = `require(process.argv[1])[process.argv[2]]()`
    const { status, stderr } = spawnSync(node, ['-e', program, addon, name], {
      encoding: 'utf8',
      env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=1' },
    })
    const found = takeReports(reports)
    if (status !== 0 && found.length === 1 && expected.test(found[0].text)) return []
    return [
      `${name}: status ${status}, ${found.map(({ text }) => text).join('\n') || 'no report'}\n${stderr}`,
    ]
  })
}
