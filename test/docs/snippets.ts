// The code of the documentation's pages.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'

/** The blocks of a language in `docs/<page>.md`. */
export const snippets = (page: string, language: string): string[] => {
  const text = readFileSync(join(packageRoot, 'docs', `${page}.md`), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))
  return [...blocks].map(([, code = '']) => code)
}

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
