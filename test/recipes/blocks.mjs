// The fenced blocks of a page of docs/.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../../docs')

/** @returns the texts of the page's blocks in a language */
export function blocksOf(page, language) {
  const text = readFileSync(join(docs, `${page}.md`), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const codes = blocks.filter(([, found]) => found === language).map(([, , code]) => code)
  if (codes.length === 0) throw new Error(`docs/${page}.md has no ${language} block`)
  return codes
}

/** The `js` blocks that begin with their name, such as `// worker.js`, by that name. */
export function filesOf(page) {
  const named = blocksOf(page, 'js').map((code) => [/^\/\/ (\S+\.js)\n/.exec(code)?.[1], code])
  return Object.fromEntries(named.filter(([name]) => name !== undefined))
}

/** The program with the changes of a `diff` block, whose lines stand for those that are the same in the program. */
export function applyDiff(program, diff) {
  let at = 0
  for (const [, sign, line] of diff.matchAll(/^([ +-])(.*\n)/gm)) {
    if (sign === '+') {
      program = program.slice(0, at) + line + program.slice(at)
      at += line.length
      continue
    }
    const found = program.startsWith(line, at) ? at : program.indexOf(`\n${line}`, Math.max(at - 1, 0)) + 1
    if (found === 0 && !program.startsWith(line)) throw new Error(`the program has no line ${line}`)
    at = found
    if (sign === '-') program = program.slice(0, at) + program.slice(at + line.length)
    else at += line.length
  }
  return program
}
