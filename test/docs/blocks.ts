// The fenced blocks of a page, in their order.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'

export interface Block {
  /** What follows the opening fence: `js`, `text`, `console`, … */
  language: string
  /** Without the indentation of the list that it may be a part of. */
  code: string
  /** Where it begins. */
  line: number
  /** The text block right behind it. */
  printed?: string
}

/** The README and the pages of docs/, as paths in the checkout without `.md`. */
export const allPages = (): string[] => [
  'README',
  ...readdirSync(join(packageRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replace(/\.md$/, '')}`),
]

/** @param page its path in the checkout without `.md`, such as `docs/tools` */
export const readPage = (page: string): string => readFileSync(join(packageRoot, `${page}.md`), 'utf8')

/** @param page its path in the checkout without `.md` */
export const blocksOf = (page: string): Block[] => {
  const text = readPage(page)
  const blocks: Block[] = []
  let end = text.length
  for (const match of text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)) {
    const [whole, indentation = '', language = '', indented = ''] = match
    const code = indented.replace(new RegExp(`^${indentation}`, 'gm'), '')
    const last = blocks.at(-1)
    if (language === 'text' && last !== undefined && /^\s*$/.test(text.slice(end, match.index)))
      last.printed = code
    blocks.push({ language, code, line: text.slice(0, match.index).split('\n').length })
    end = match.index + whole.length
  }
  return blocks
}
