// The files that the sanitizers have written.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const LEAKS = /^=+\n==\d+==ERROR: LeakSanitizer: detected memory leaks\n/m

/**
 * What of a report concerns us: everything, but of leaks only those whose memory an addon of ours has asked for. Node,
 * jest's resolver and swc leak some hundred bytes in each process.
 *
 * @param {string} text
 * @returns {string} empty when nothing does
 */
export function ours(text) {
  if (!LEAKS.test(text)) return text.trim()
  return text
    .split('\n\n')
    .filter((block) => /^(Direct|Indirect) leak /.test(block.trimStart()))
    .filter((block) => /[/(](bashward|faulty)\.node\+0x/.test(block))
    .join('\n\n')
    .trim()
}

/** Reads and removes the reports below `directory`: those that concern us, each with its name. */
export function takeReports(directory) {
  return readdirSync(directory)
    .map((name) => {
      const file = join(directory, name)
      const text = ours(readFileSync(file, 'utf8'))
      rmSync(file)
      return { name, text }
    })
    .filter(({ text }) => text !== '')
}
