// The fenced blocks of a page, in their order.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'

export interface Block {
  /** What follows the opening fence: `js`, `text`, `console`, … */
  language: string
  code: string
  /** The heading that it stands under, to name it by. */
  heading: string
}

/** @param page its path in the checkout, such as `docs/tools.md` */
export const readPage = (page: string): string => readFileSync(join(packageRoot, page), 'utf8')

/** @param page its path in the checkout */
export const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = []
  let heading = page
  for (const [, title, language = '', code = ''] of readPage(page).matchAll(
    /^#+ (.*)$|^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    if (title !== undefined) heading = `${page}, ${title}`
    else blocks.push({ language, code, heading })
  }
  return blocks
}
