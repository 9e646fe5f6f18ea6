// Reads the lists of commands in test/guard/verdicts/corpus/. A line is a command; `⏎` in it is a newline.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * - `ordinary`: what agents type, whatever is said of it.
 * - `attempts`: to have something allowed that does more than reading.
 */
export const readCommands = (name: 'ordinary' | 'attempts'): string[] =>
  readFileSync(join(__dirname, 'corpus', `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'))

/** Commands of which something is to be learned: the decision, the command, and for `ask` the reason. */
export const readDecisions = (): string[][] =>
  readFileSync(join(__dirname, 'corpus', 'decisions.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
