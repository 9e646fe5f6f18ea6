// Single snippets of the documentation's pages, for tests that bring along what a snippet needs.
import { execFileSync } from 'node:child_process'
import { packageRoot } from '../support/as-user.js'
import { blocksOf } from './blocks.js'

/** The blocks of a language in `docs/<page>.md`. */
export const snippets = (page: string, language: string): string[] =>
  blocksOf(`docs/${page}`)
    .filter((block) => block.language === language)
    .map(({ code }) => code)

/** The first such block that contains `part`. */
export const snippetWith = (page: string, language: string, part: string): string => {
  const found = snippets(page, language).find((code) => code.includes(part))
  if (found === undefined) throw new Error(`docs/${page}.md has no ${language} block with ${part}`)
  return found
}

/** Runs an ES module that finds the package under its own name, and gives what it prints. */
export const runModule = (program: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
