// Ordinary work in a repository changes nothing that is watched.
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const author = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

const git = (directory: string, ...words: string[]): void => {
  execFileSync('git', words, { cwd: directory, env: { ...process.env, ...author } })
}

/** A directory with a repository that has a commit. */
const repository = (): { workspace: string; main: string } => {
  const workspace = realpathSync(tempDir())
  const main = join(workspace, 'main')
  mkdirSync(join(main, 'package'), { recursive: true })
  git(main, 'init', '-q')
  writeFileSync(join(main, 'file'), 'content\n')
  writeFileSync(join(main, 'package.json'), '{"name":"main","version":"1.0.0"}')
  writeFileSync(join(main, 'package/package.json'), '{"name":"package","version":"1.0.0"}')
  git(main, 'add', '.')
  git(main, 'commit', '-q', '-m', 'first')
  return { workspace, main }
}

const works: [string, string][] = [
  ['a commit', 'echo more >> file && git commit -qam more'],
  [
    'a branch that is checked out and merged',
    'git checkout -qb other && git checkout -q - && git merge -q other',
  ],
  ['a stash', 'echo more >> file && git stash -q && git stash pop -q'],
  ['a collection of garbage', 'git gc -q'],
  [
    'a worktree in the repository',
    'git worktree add -q tree && cd tree && git commit -q --allow-empty -m more',
  ],
  ['a worktree beside the repository', 'git worktree add -q ../tree && cd ../tree && git status'],
  [
    'a package that is installed',
    'npm install --offline --no-audit --no-fund --cache "$PWD/../cache" ./package',
  ],
]

describe.each(['the repository', 'the directory above it'])('with %s as workspace,', (root) => {
  const own = root === 'the repository'
  for (const [what, command] of works) {
    if (own && command.includes('../')) continue
    testWorkspace(`${what} is not reported`, async () => {
      const { workspace, main } = repository()
      const result = await run(own ? command : `cd main && ${command}`, {
        cwd: own ? main : workspace,
        env: { set: author },
        sandbox: 'workspace',
        timeout: 60_000,
      })

      expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
      expect(result.protectedChanged ?? []).toEqual([])
    })
  }
})
