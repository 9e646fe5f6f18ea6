// Which commands of git ask because they discard something, and what they say.

import { discardOf } from '../../../../lib/guard/verdicts/rules/discard.js'
import { judgeCommand, loadPolicy, type PolicyRule } from '../../../../lib/index.js'

const place = { workingDir: '/srv/project', home: '/home/dev' }
const allowGit: PolicyRule = { prefix: ['git'], decision: 'allow' }

/** Where every command of git is allowed. */
const judge = async (command: string, off: readonly string[] = []) =>
  judgeCommand(command, { ...place, policy: loadPolicy({ rules: [allowGit], off }) })

const discards = async (command: string) => {
  const { reasons } = await judge(command)
  return reasons.some(({ rule }) => rule === 'git-discard')
}

test.each([
  'git reset --hard',
  'git reset --hard HEAD~1',
  'git reset --har',
  'git reset --merge',
  'git clean -f',
  'git clean -fdx build',
  'git clean -d',
  'echo 1 | git clean -i',
  'git checkout -- .',
  'git checkout .',
  'git checkout src/a.ts',
  'git checkout src',
  'git checkout HEAD a b',
  'git checkout HEAD~1 -- a',
  'git checkout --ours -- a',
  'git checkout *.ts',
  'git checkout -f',
  'git checkout --force main',
  'git checkout -p',
  'git checkout -B main origin/main',
  'git restore a',
  'git restore --staged --worktree a',
  'git restore -SW a',
  'git restore --source HEAD~1 a',
  'git switch -f main',
  'git switch --discard-changes main',
  'git switch -C main origin/main',
  'git stash drop',
  'git stash drop stash@{1}',
  'git stash clear',
  'git branch -D topic',
  'git branch -d --force topic',
  'git branch -df topic',
  'git branch -f topic HEAD~1',
  'git branch -M old new',
  'git reflog expire --expire=now --all',
  'git reflog delete HEAD@{1}',
  'git worktree remove --force ../other',
  'git worktree remove ../other -f',
  'git rm -rf src',
  'git checkout-index -f a',
  'git read-tree --reset -u HEAD',
  'git submodule update --force',
  'git submodule deinit -f lib',
  'git update-ref -d refs/heads/topic',
  'git gc --prune=now',
  'git prune',
])('discards: %s', async (command) => {
  const { decision, reasons } = await judge(command)

  expect(decision).toBe('ask')
  expect(reasons).toContainEqual(expect.objectContaining({ rule: 'git-discard', effect: 'writes' }))
  expect(await judge(command, ['git-discard'])).not.toMatchObject({ reasons: [{ rule: 'git-discard' }] })
})

test.each([
  'git reset',
  'git reset --soft HEAD~1',
  'git reset --keep HEAD~1',
  'git reset a',
  'git clean -nfd',
  'git checkout main',
  'git checkout feature/login',
  'git checkout v1.2.0',
  'git checkout -b topic',
  'git restore --staged a',
  'git switch main',
  'git switch -c topic',
  'git stash',
  'git stash pop',
  'git stash push -- drop',
  'git branch topic',
  'git branch -d topic',
  'git branch -m old new',
  'git reflog',
  'git reflog expire -n --all',
  'git worktree remove ../other',
  'git rm a',
  'git rm -f --cached a',
  'git gc',
  'git prune -n',
  'git commit -m "git reset --hard"',
  'git log --grep="stash drop"',
])('does not discard: %s', async (command) => {
  expect(await discards(command)).toBe(false)
})

test.each([
  'sudo git reset --hard',
  'timeout 5 git reset --hard',
  'A=1 git reset --hard',
  "bash -c 'git reset --hard'",
  'eval "git reset --hard"',
  'echo "$(git reset --hard)"',
  '/usr/bin/git reset --hard',
  'git -C sub reset --hard',
  'git -c core.x=y --no-pager reset --hard',
  'x=reset; git $x --hard',
  "git -c alias.x='reset --hard' x",
  'if true; then git reset --hard; fi',
  'npm test && git reset --hard',
  'echo a | xargs git checkout --',
])('is seen behind anything: %s', async (command) => {
  expect(await discards(command)).toBe(true)
})

test.each([
  'git reset "$mode"',
  'git "$verb" x',
  'git stash $x',
  'git branch "$@"',
  'git reset "--$mode"',
  'git reset *',
])('a word that is not known counts as one that discards: %s', async (command) => {
  const { decision, reasons } = await judge(command)

  expect(decision).toBe('ask')
  expect(reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^`git .*` may discard what nothing brings back: a word of it is not known\.$/),
  ])
})

test.each(['git reset -- "$file"', 'git checkout -b "topic-$x"', 'git log "$x"'])(
  'a word that cannot be an option does not: %s',
  async (command) => {
    expect(await discards(command)).toBe(false)
  },
)

test('the reason is a sentence, in which the command can move no cursor', async () => {
  const { reasons } = await judgeCommand("git checkout -- 'a\u001b[2J\u202eb'", place)

  expect(reasons).toEqual([
    {
      rule: 'git-discard',
      match: { start: 0, end: 25, text: "git checkout -- 'a\u001b[2J\u202eb'" },
      program: 'git',
      effect: 'writes',
      message:
        "`git checkout -- 'a\\x1b[2J\\u202eb'` discards changes that are not committed, and nothing brings them back.",
    },
  ])
})

test('no rule of a host allows it, and one that denies does', async () => {
  const rules: PolicyRule[] = [allowGit, { prefix: ['git', 'stash', 'drop'], decision: 'allow' }]
  expect(await judgeCommand('git stash drop', { ...place, policy: loadPolicy({ rules }) })).toMatchObject({
    decision: 'ask',
    suggestion: null,
  })

  const denying = loadPolicy({ rules: [...rules, { prefix: ['git', 'stash', 'drop'], decision: 'deny' }] })
  expect(await judgeCommand('git stash drop', { ...place, policy: denying })).toMatchObject({
    decision: 'deny',
  })
})

test('it is refused where nobody can be asked', async () => {
  expect(await judgeCommand('git stash drop', { ...place, default: 'deny' })).toMatchObject({
    decision: 'deny',
    reasons: [{ rule: 'git-discard' }],
  })
})

test('what a look needs to know is beside the reasons, not in them', async () => {
  const { reasons } = await judge('git -C lib reset --hard && git clean -fd -e "*.log" src')

  expect(reasons.map((reason) => Object.keys(reason).sort())).toEqual(
    reasons.map(() => ['effect', 'match', 'message', 'program', 'rule']),
  )
  expect(reasons.map((reason) => discardOf(reason)?.discards)).toEqual([
    [
      {
        directory: '/srv/project/lib',
        atRisk: [{ kind: 'changes', staged: true, pathspecs: [] }],
        isInert: true,
      },
    ],
    [
      {
        directory: '/srv/project',
        atRisk: [{ kind: 'untracked', options: ['-d', '--exclude=*.log'], pathspecs: ['src'] }],
        isInert: true,
      },
    ],
  ])
})

test.each([
  ['in another repository', 'git --git-dir=/x/.git reset --hard'],
  ['with another configuration', 'git -c core.worktree=/x reset --hard'],
  ['in the script of another program', "bash -c 'git reset --hard'"],
  ['in a directory that is not known', 'cd "$x"; git reset --hard'],
])('no look would tell %s', async (_, command) => {
  const { reasons } = await judge(command)
  const notes = reasons.flatMap((reason) => discardOf(reason)?.discards ?? [])

  expect(notes).toEqual([expect.objectContaining({ directory: undefined })])
})

test.each([
  ['a variable', 'x=a; git checkout -- "$x"'],
  ['what a program prints', 'git checkout -- $(ls)'],
  ['an extended pattern', 'git checkout -- !(a)'],
])('no look would tell where an operand is %s', async (_, command) => {
  const { reasons } = await judge(command)
  const notes = reasons.flatMap((reason) => discardOf(reason)?.discards ?? [])

  expect(notes).toContainEqual(expect.objectContaining({ atRisk: undefined }))
})

test.each([
  ['git reset --hard', true],
  ['git reset --hard && git clean -fd', true],
  ['ls; git reset --hard', true],
  ['git checkout other -- .; git clean -fd', false],
  ['git branch -D a; git branch -D b', false],
  ['touch x; git clean -f', false],
  ['GIT_WORK_TREE=/x git reset --hard', false],
  ['npm test && git checkout .', false],
])('whether nothing else may change what is there: %s', async (command, isAlone) => {
  const { reasons } = await judge(command)

  expect(reasons.map(discardOf).findLast((note) => note !== undefined)?.isAlone).toBe(isAlone)
})
