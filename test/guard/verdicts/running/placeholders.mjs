// Every placeholder and sort key that the manual pages of git 2.39 to 2.52 document, in each form that may stand around one.
// What is allowed runs in a repository whose configuration names a program for looking at signatures, which leaves a mark.
// Those that start it have to do so here: otherwise nothing would be shown.

import { runBounded } from './bounded.mjs'

const commit = [
  ...'H h T t P p d D S e s f b B N n m'.split(' '),
  ...[...'nNeElLdDrtiIsh'].flatMap((letter) => [`a${letter}`, `c${letter}`]),
  ...'gD gd gn gN ge gE gs x00 x25 Cred Cgreen Cblue Creset C(auto) C(bold,red) w(72,1,2) <(9) <|(9) >(9) >>|(9)'.split(
    ' ',
  ),
  ...[
    '><(9)',
    '<( 9 ,ltrunc)',
    '(trailers)',
    '(trailers:key=A,only=true,separator=%x2C )',
    '(decorate:prefix=,pointer=x)',
  ],
]
const signing = ['GG', 'G?', 'GS', 'GK', 'GF', 'GP', 'GT']
/** How git reads on where a placeholder seems to end. */
const around = [
  ...[
    '%X',
    '%+X',
    '%-X',
    '% X',
    'format:%X',
    'tformat:%+X',
    'a %h %X b',
    '%<(9)%X',
    '%>|(9)% X',
    '%C(red)%X',
    '%w(9)%-X',
  ],
  ...[
    '%+%X',
    '%(trailers:x=%X)',
    '%(decorate:x=%X)',
    '%C(%X)',
    '%<(%X)',
    '%x2%X',
    '%<(9)%C(red)%%X',
    '%<(9)%C(red)%%+X',
  ],
  ...['%%%X', '%n%X', '%(none)%X', '%x25%X', '%<(9)%+X', '%<(9)%%X', '%%X'],
]
/** git prints these as text, or ends with an error. */
const inert = ['%<(9)%%X', '%%X', '%C(%X)']
const commands = [
  ...[
    'git log -1 --format=',
    'git show -s --pretty=',
    'git rev-list -1 --format=',
    'git reflog -1 --format=',
    'git log -1 -g --pretty=',
  ],
  ...[
    'git diff-tree -s --format=',
    'git shortlog --group=',
    'git shortlog --group ',
    'git whatchanged -m -1 --format=',
  ],
]
const reference = [
  ...'refname refname:lstrip=-1 objecttype objectsize:disk objectname:short=9 deltabase upstream:track,nobracket push:short'.split(
    ' ',
  ),
  ...'HEAD color:red symref:short worktreepath tree parent numparent object type tag author authorname authoremail:trim'.split(
    ' ',
  ),
  ...'authordate:iso committer committername committeremail committerdate:relative tagger taggername taggeremail'.split(
    ' ',
  ),
  ...'taggerdate:format:%Y-%m creator creatordate:short subject:sanitize body raw raw:size contents contents:size'.split(
    ' ',
  ),
  ...'contents:subject contents:body contents:lines=1 contents:trailers trailers:only flag ahead-behind:HEAD'.split(
    ' ',
  ),
]
const others = [
  ...reference
    .flatMap((name) => [name, `*${name}`])
    .flatMap((name) => [
      `git for-each-ref --format='%(${name})'`,
      `git branch --format='%(${name})'`,
      `git tag -l --format='%(if)%(${name})%(then)x%(else)%(align:9,left)%(${name})%(end)%(end)'`,
      `git for-each-ref --sort='-${name}'`,
      `git tag -l --sort='${name}'`,
    ]),
  ...['v:refname', '-version:refname'].map((key) => `git tag -l --sort=${key}`),
  ...'objectmode objecttype objectname objectsize objectsize:padded path'
    .split(' ')
    .map((name) => `git ls-tree --format='%(${name})' HEAD`),
  ...'objectmode objectname stage path eolinfo:index eolattr'
    .split(' ')
    .map((name) => `git ls-files --format='%(${name})'`),
  ...'objecttype objectsize:disk deltabase rest'
    .split(' ')
    .map((name) => `echo HEAD | git cat-file --batch-check='%(${name})'`),
]

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
const formed = (placeholders, forms, heads = commands) =>
  heads.flatMap((head) =>
    forms.flatMap((form) =>
      placeholders.map((name) => `${head}${quote(form.replace('X', () => name))} HEAD`),
    ),
  )

/** What has to be allowed. */
const plain = new Set([...formed(commit, ['%X']), ...others])

/** @param {{ judge: Function, copy: import('./copies.mjs').Copy }} plan */
export const placeholders = async ({ judge, copy }) => {
  const run = (lines) => {
    runBounded(['bash'], {
      copy,
      seconds: 120,
      input: lines.map((line) => `timeout 5 ${line} </dev/null`).join('\n'),
    })
    return copy.changes()
  }
  const harmless = [...formed(commit, around, commands.slice(0, 1)), ...plain]
  const checking = formed(signing, around)
  const faults = []
  const allowed = []
  for (const command of [...harmless, ...checking]) {
    const { decision } = await judge(command)
    if (decision === 'allow') allowed.push(command)
    else if (plain.has(command)) faults.push({ command, found: decision })
  }
  for (let at = 0; at < allowed.length; at += 200) {
    const batch = allowed.slice(at, at + 200)
    if (run(batch).length === 0) continue
    for (const command of batch) {
      const changed = run([command])
      if (changed.length > 0) faults.push({ command, changed })
    }
  }
  for (const command of formed(
    ['G?'],
    around.filter((form) => !inert.includes(form)),
    commands.slice(0, 1),
  ))
    if (run([command]).length === 0) faults.push({ command, found: 'it has started nothing' })
  return { generated: harmless.length + checking.length, ran: allowed.length, faults }
}
