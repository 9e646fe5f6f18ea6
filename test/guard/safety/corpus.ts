// Reads the lists of commands in test/guard/safety/corpus/.
//
// A line is a command. Empty lines, and lines that begin with `%`, are none. `%rule NAME` names the rule that refuses
// the commands that follow. A command of several lines stands between a line `{{{` and a line `}}}`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CorpusEntry {
  command: string
  /** The rule that refuses it; null: it is let through. */
  rule: string | null
  /** Where it stands in the file, counted from 1. */
  line: number
}

export function readCorpus(name: 'rejected' | 'allowed'): CorpusEntry[] {
  const entries: CorpusEntry[] = []
  let rule: string | null = null
  let block: string[] | null = null
  const lines = readFileSync(join(__dirname, 'corpus', `${name}.txt`), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    const add = (command: string) => entries.push({ command, rule, line: index + 1 })
    if (line === '{{{') block = []
    else if (line === '}}}' && block !== null) {
      add(block.join('\n'))
      block = null
    } else if (block !== null) block.push(line)
    else if (line.startsWith('%rule ')) rule = line.slice('%rule '.length)
    else if (line !== '' && !line.startsWith('%')) add(line)
  }
  return entries
}

/** Where the commands of the lists run. */
export const corpusOptions = { workingDir: '/home/dev/project', home: '/home/dev' }
