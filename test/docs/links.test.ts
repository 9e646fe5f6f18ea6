// Every link of the documentation leads somewhere: to a file of the checkout, and to a heading that it has.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { readPage } from './blocks.js'

const markdownIn = (directory: string): string[] =>
  readdirSync(join(packageRoot, directory))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(directory, name.replace(/\.md$/, '')))

const pages = ['.', 'docs', 'docs/design', 'bench', 'examples'].flatMap(markdownIn)

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsOf = (page: string): string[] =>
  [
    ...readPage(page)
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => anchorOf(heading))

/** The targets within the checkout. */
const linksOf = (page: string): string[] =>
  [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

const leadsSomewhere = (page: string, target: string): boolean => {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? `${page}.md` : normalize(join(dirname(page), file))
  if (!existsSync(join(packageRoot, path))) return false
  return anchor === undefined || anchorsOf(path.replace(/\.md$/, '')).includes(anchor)
}

test.each(pages)('%s.md', (page) => {
  expect(linksOf(page).filter((target) => !leadsSomewhere(page, target))).toEqual([])
})

test('every page of docs/ is in its list of contents', () => {
  const listed = linksOf('docs/README').map((target) => `docs/${target.replace(/\.md$/, '')}`)

  expect(markdownIn('docs').filter((page) => page !== 'docs/README' && !listed.includes(page))).toEqual([])
})

test('every page of docs/design/ is linked from ARCHITECTURE.md or CONTRIBUTING.md, or from a page that is', () => {
  const linked = ['ARCHITECTURE', 'CONTRIBUTING', 'docs/design/testing'].flatMap((page) =>
    linksOf(page).map((target) => normalize(join(dirname(page), target)).replace(/\.md.*$/, '')),
  )

  expect(markdownIn('docs/design').filter((page) => !linked.includes(page))).toEqual([])
})
