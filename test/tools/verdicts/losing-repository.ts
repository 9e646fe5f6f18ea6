// A real git repository, and what a person is told that a command would lose there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveOptions } from '../../../lib/commands/run/options.js'
import { type Judgement, judgeCommand, loadPolicy, type PolicyRule } from '../../../lib/index.js'
import type { LookPlace } from '../../../lib/tools/verdicts/look.js'
import { tellLosses } from '../../../lib/tools/verdicts/losses.js'
import { tempDir } from '../../support/temp-dir.js'

const author = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@x',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@x',
}

/** A machine under load takes its time; one that hangs takes all of it. */
const patientMs = 20_000

/** A repository with a commit, and one on the branch `topic` that is on no other. */
export const setUp = () => {
  const workingDir = realpathSync(tempDir())
  const write = (name: string, text = name): void => writeFileSync(join(workingDir, name), text)
  const git = (...args: string[]): string => {
    const env = { ...process.env, ...author, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: workingDir, env, encoding: 'utf8' })
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' })
    return stdout
  }
  git('init', '-q', '-b', 'main')
  mkdirSync(join(workingDir, 'src'))
  for (const name of ['a', 'b', 'src/c']) write(name)
  git('add', '.')
  git('commit', '-qm', 'Begin')
  git('checkout', '-qb', 'topic')
  write('new')
  git('add', 'new')
  git('commit', '-qm', 'Add new')
  git('checkout', '-q', 'main')
  const place = (limitMs = patientMs): LookPlace => ({
    options: resolveOptions({ cwd: workingDir, sandbox: 'restricted' }),
    cancel: undefined,
    limitMs,
  })
  const judge = async (command: string, rules: readonly PolicyRule[] = []): Promise<Judgement> =>
    judgeCommand(command, { workingDir, policy: loadPolicy({ rules }) })
  const tell = async (command: string, rules: readonly PolicyRule[] = []): Promise<Judgement> =>
    tellLosses(await judge(command, rules), place())
  /** Behind what the judgement said already. */
  const told = async (command: string): Promise<string[]> =>
    (await tell(command)).reasons.map(({ rule, message }) =>
      rule === 'git-discard' ? message.replace(/^.*?`[^`]+`.*?\. ?/, '') : rule,
    )
  return { workingDir, write, git, judge, tell, told, place }
}

export type SetUp = ReturnType<typeof setUp>
