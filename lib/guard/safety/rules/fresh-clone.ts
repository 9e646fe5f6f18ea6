// `git clone URL dir && rm -rf dir/.git`: a repository that can be cloned again. Read from the text before the command, in
// which only `&&` may stand between the two: otherwise the clone may have failed because there was a repository before.

import type { Argument, CheckedCommand } from '../rule.js'

/** Options of `git clone` whose value is the next argument. */
const optionWithValue =
  /^(?:-[bocuj]|--(?:branch|origin|config|upload-pack|jobs|depth|filter|template|reference(?:-if-able)?|shallow-(?:since|exclude)|separate-git-dir|bundle-uri|ref-format|server-option))$/

/** Whether the target is the `.git` of a repository that the same list of commands has just cloned. */
export function isFreshClone({ script, words: [name] }: CheckedCommand, target: Argument): boolean {
  const path = plain(target.source)
  if (script === undefined || !path.endsWith('.git')) return false
  const [first = '', ...others] = listBefore(script, name.start)
  let directory = clonedDirectory(first)
  for (const command of others) {
    if (directory === undefined) directory = clonedDirectory(command)
    else if (/^(?:cd|pushd)\s/.test(command)) {
      const entered = plain(command.replace(/^\w+\s+/, ''))
      if (entered === directory) directory = '.'
      else if (!directory.startsWith('/')) return false
    }
  }
  if (directory === undefined) return false
  return path === (directory === '.' ? '.git' : `${directory}/.git`)
}

/** Characters before the command that are looked at. */
const maxText = 2048

/** What stands between two commands, but for `&&`; and what a look does not see through. */
const otherSeparator = /[;\n|&(){}`]/

/** The commands without any of which this one does not run. */
function listBefore(script: string, start: number): string[] {
  const text = script
    .slice(Math.max(0, start - maxText), start)
    .replaceAll('\\\n', ' ')
    .replace(/\d*>&\d/g, '')
    .replaceAll('&>', '>')
    .replace(/sudo\s+$/, '')
  const [last, ...commands] = text.split(/&&\s*/).reverse()
  if (last !== '') return []
  const list: string[] = []
  for (const command of commands) {
    const parts = command.split(otherSeparator)
    list.unshift((parts.at(-1) ?? '').trim())
    if (parts.length > 1) break
  }
  return list
}

/** Where `git clone` puts the repository, as written; undefined: it is another command. */
function clonedDirectory(command: string): string | undefined {
  const [, rest] = /^git\s+clone\s+(.*)$/.exec(command) ?? []
  if (rest === undefined) return undefined
  const words = rest.replace(/\d*>+\s*\S+/g, '').split(/\s+/)
  const [url, directory, more] = words.filter(
    (word, index) => word !== '' && !word.startsWith('-') && !optionWithValue.test(words[index - 1] ?? ''),
  )
  if (url === undefined || more !== undefined) return undefined
  if (directory !== undefined) return plain(directory)
  return plain(url)
    .replace(/\.git$/, '')
    .replace(/^.*[/:]/s, '')
}

/** Without quotes, and `./` and `/` around it. */
function plain(source: string): string {
  return source
    .replace(/["']/g, '')
    .replace(/^(?:\.\/)+(?=.)/, '')
    .replace(/\/+$/, '')
}
