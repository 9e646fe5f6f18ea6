// What a person is told of what git would discard, in real repositories.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveOptions } from '../../../lib/commands/run/options.js'
import { tellLosses } from '../../../lib/tools/verdicts/losses.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { type SetUp, setUp } from './losing-repository.js'

afterAll(removeTempDirs)

describe('where there is nothing to lose', () => {
  const commands = [
    'git reset --hard',
    'git reset --hard topic',
    'git clean -fdx',
    'git checkout .',
    'git checkout -- src',
    'git checkout -- nothing',
    'git checkout topic -- .',
    'git checkout -f topic',
    'git switch -f topic',
    'git restore --staged --worktree src',
    'git stash drop',
    'git stash clear',
    'git branch -D main',
    'git branch -D not-there',
    'git checkout -B another',
    'git reflog expire --expire=now --all',
    'git rm -f a',
    'git reset --hard && git clean -fd',
  ]

  testRestricted('the reason is the one of any command that is not known to only read', async () => {
    const { tell } = setUp()
    const rules: Record<string, string[]> = {}
    for (const command of commands) {
      const { decision, reasons } = await tell(command)
      expect(decision).toBe('ask')
      rules[command] = [...new Set(reasons.map(({ rule }) => rule))]
    }

    expect(rules).toEqual(Object.fromEntries(commands.map((command) => [command, ['not-known-to-read']])))
  })

  testRestricted('it asks in spite of a rule that allows git', async () => {
    const { tell } = setUp()
    const { decision, reasons } = await tell('git stash drop', [{ prefix: ['git'], decision: 'allow' }])

    expect(decision).toBe('ask')
    expect(reasons.map(({ message }) => message)).toEqual([
      '`git stash drop` deletes a stash, and nothing brings it back. There is nothing to lose at this moment.',
    ])
  })

  testRestricted('another reason that is told already is enough', async () => {
    const { tell } = setUp()
    const { reasons } = await tell('git stash drop', [{ prefix: ['git', 'stash'], decision: 'ask' }])

    expect(reasons.map(({ rule }) => rule)).toEqual(['git stash'])
  })
})

testRestricted('a command before it may make something to lose', async () => {
  const { told } = setUp()

  expect(await told('touch x; git clean -f')).toEqual([
    'There is nothing to lose at this moment, but the rest of the command may change that.',
    'not-known-to-read',
  ])
})

const losing: [string, (repository: SetUp) => void, string, string[]][] = [
  [
    'changed files',
    ({ write }) => write('a', 'x'),
    'git reset --hard',
    ['This would lose the changes in 1 file (`a`).'],
  ],
  [
    'staged files',
    ({ write, git }) => {
      write('staged')
      git('add', 'staged')
    },
    'git reset --hard',
    ['This would lose the changes in 1 file (`staged`).'],
  ],
  [
    'files of the pathspec only',
    ({ write }) => {
      write('a', 'x')
      write('src/c', 'x')
    },
    'git checkout -- src',
    ['This would lose the changes in 1 file (`src/c`).'],
  ],
  [
    'files that a pattern stands for',
    ({ write }) => write('src/c', 'x'),
    'git restore s*',
    ['This would lose the changes in 1 file (`src/c`).'],
  ],
  [
    'untracked files',
    ({ write, workingDir }) => {
      write('x')
      mkdirSync(join(workingDir, 'made'))
      write('made/y')
    },
    'git clean -fd',
    ['This would lose 2 untracked files and directories (`made/`, `x`).'],
  ],
  [
    'untracked files in the place of those of a commit',
    ({ write }) => write('new', 'mine'),
    'git checkout -f topic',
    ['This would lose 1 untracked file (`new`).'],
  ],
  [
    'a stash',
    ({ write, git }) => {
      for (const text of ['one', 'two']) {
        write('a', text)
        git('stash', 'push', '-qm', text)
      }
    },
    'git stash drop 1',
    ['This would lose 1 stash (`On main: one`).'],
  ],
  [
    'all stashes',
    ({ write, git }) => {
      for (const text of ['one', 'two']) {
        write('a', text)
        git('stash', 'push', '-qm', text)
      }
    },
    'git stash clear',
    ['This would lose 2 stashes (`On main: two`, `On main: one`).'],
  ],
  [
    'commits of a branch',
    () => {},
    'git branch -D topic',
    [expect.stringMatching(/^This would lose 1 commit \(`[\da-f]{7,} Add new`\)\.$/)],
  ],
  [
    'commits of two branches that go at once',
    ({ git }) => git('branch', 'same', 'topic'),
    'git branch -D topic same',
    [expect.stringMatching(/^This would lose 1 commit /)],
  ],
  [
    'commits of the branch that is moved',
    ({ git }) => git('commit', '-qm', 'Second', '--allow-empty'),
    'git reset --hard HEAD~1',
    [expect.stringMatching(/^This would lose 1 commit \(`[\da-f]{7,} Second`\)\.$/)],
  ],
  [
    'commits that are on no branch',
    ({ git }) => {
      git('commit', '-qm', 'Second', '--allow-empty')
      git('reset', '-q', '--hard', 'HEAD~1')
    },
    'git reflog expire --expire=now --all',
    [expect.stringMatching(/^This would lose 1 commit that is on no branch \(`[\da-f]{7,} Second`\)\.$/)],
  ],
  [
    'all that a worktree has',
    ({ git, workingDir }) => {
      git('worktree', 'add', '-q', '--detach', 'tree')
      writeFileSync(join(workingDir, 'tree/x'), '')
      git('-C', 'tree', 'commit', '-qm', 'There', '--allow-empty')
    },
    'git worktree remove --force tree',
    [
      expect.stringMatching(
        /^This would lose 1 changed or untracked file \(`x`\) and 1 commit \(`[\da-f]{7,} There`\)\.$/,
      ),
    ],
  ],
]

describe('a person is told of', () => {
  for (const [what, prepare, command, expected] of losing) {
    testRestricted(`${what}: ${command}`, async () => {
      const repository = setUp()
      prepare(repository)

      expect(await repository.told(command)).toEqual(expected)
    })
  }

  testRestricted('how many there are, with the names of the first', async () => {
    const { write, told } = setUp()
    for (let index = 0; index < 1200; index++) write(`x${index}`)

    expect(await told('git clean -f')).toEqual([
      'This would lose 1200 untracked files and directories (`x0`, `x1`, `x10`, …).',
    ])
  })

  testRestricted('names without what moves a cursor or ends a name', async () => {
    const { write, told } = setUp()
    write('x\u001b[2J`\n\u202ey')

    expect(await told('git clean -f')).toEqual([
      'This would lose 1 untracked file or directory (`"x\\033[2J\\x60\\n\\u202ey"`).',
    ])
  })

  testRestricted('losses of each command', async () => {
    const { write, told } = setUp()
    write('a', 'x')
    write('x')

    expect(await told('git reset --hard && git clean -f')).toEqual([
      'This would lose the changes in 1 file (`a`).',
      'This would lose 1 untracked file or directory (`x`).',
    ])
  })
})

describe('it counts as something', () => {
  const unknown = 'What this would lose could not be found out.'

  testRestricted('where the look fails', async () => {
    const { told, workingDir } = setUp()
    rmSync(join(workingDir, '.git'), { recursive: true })

    expect(await told('git reset --hard')).toEqual([unknown])
  })

  testRestricted('where the words are not known', async () => {
    const { told } = setUp()

    expect(await told('git checkout -- "$file"')).toEqual([unknown])
    expect(await told("bash -c 'git reset --hard'")).toEqual([unknown])
  })

  testRestricted('where only one of several looks fails', async () => {
    const { told, write } = setUp()
    write('a', 'x')

    expect(await told('git reset --hard not-there')).toEqual([
      'This would lose at least the changes in 1 file (`a`).',
    ])
  })

  test('where there can be no look', async () => {
    const { judge } = setUp()
    const { reasons } = await tellLosses(await judge('git reset --hard'), undefined)

    expect(reasons[0]?.message).toContain(unknown)
  })

  testRestricted('where git cannot be started', async () => {
    const { judge, place, workingDir } = setUp()
    const options = resolveOptions({ cwd: workingDir, sandbox: 'restricted', shellPath: '/nonexistent/bash' })
    const { reasons } = await tellLosses(await judge('git reset --hard'), { ...place(), options })

    expect(reasons[0]?.message).toContain(unknown)
  })

  testRestricted('where git takes too long, which is ended', async () => {
    const { judge, place, git, write } = setUp()
    const sleep = `sleep 600.${process.pid}`
    git('config', 'filter.slow.clean', sleep)
    write('.gitattributes', '* filter=slow\n')
    write('a', 'x')
    const { reasons } = await tellLosses(await judge('git reset --hard'), place(500))

    expect(reasons[0]?.message).toContain(unknown)
    await waitFor(() => spawnSync('pgrep', ['-f', `^${sleep}`]).status === 1, {
      what: 'the end of the filter',
    })
  })
})

testRestricted('what a repository names as programs runs without an effect, or not at all', async () => {
  const { told, git, write, workingDir } = setUp()
  const canary = join(workingDir, 'canary')
  const program = join(workingDir, 'program')
  writeFileSync(program, `#!/bin/sh\necho ran >> ${canary}\ncat\n`)
  chmodSync(program, 0o755)
  for (const name of [
    'core.fsmonitor',
    'filter.own.clean',
    'filter.own.smudge',
    'diff.own.textconv',
    'core.pager',
  ]) {
    git('config', name, program)
  }
  write('.git/info/attributes', '* filter=own diff=own\n')
  mkdirSync(join(workingDir, '.git/hooks'), { recursive: true })
  writeFileSync(join(workingDir, '.git/hooks/post-index-change'), readFileSync(program), { mode: 0o755 })
  write('a', 'x')
  const index = readFileSync(join(workingDir, '.git/index'))

  expect(await told('git reset --hard topic')).toEqual(['This would lose the changes in 1 file (`a`).'])
  expect(await told('git clean -f')).not.toEqual([])
  expect(await told('git branch -D topic')).not.toEqual([])
  expect(existsSync(canary)).toBe(false)
  expect(readFileSync(join(workingDir, '.git/index'))).toEqual(index)

  // The programs do run where nothing confines them.
  git('status')
  expect(existsSync(canary)).toBe(true)
})
