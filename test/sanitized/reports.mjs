// The files that the sanitizers have written.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const LEAKS = /^=+\n==\d+==ERROR: LeakSanitizer: detected memory leaks\n/m

/**
 * A child of the supervisor that ends before it executes anything, on a stack that AddressSanitizer does not know: a
 * warning for errors that might follow, and with _exit none does.
 */
const UNKNOWN_STACK =
  /^==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return: .*\nFalse positive .*\nFor details .*\n/gm

/**
 * What of a report concerns us: everything, but of leaks only those whose memory an addon of ours has asked for. Node,
 * jest's resolver and swc leak some hundred bytes in each process.
 *
 * @param {string} text
 * @returns {string} empty when nothing does
 */
export function ours(text) {
  const errors = text.replace(UNKNOWN_STACK, '').trim()
  if (!LEAKS.test(errors)) return errors
  return errors
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
