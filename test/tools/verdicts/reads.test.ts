// What is allowed as reading runs confined, in every conversation.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BashSession,
  createBashSuite,
  createBashTool,
  JobStore,
  loadPolicy,
  type ToolContext,
  type VerdictOptions,
} from '../../../lib/index.js'
import { packageRoot } from '../../support/as-user.js'
import { shimPrefix } from '../../support/landlock-shim.js'
import { cannotTest } from '../../support/must-work.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterAll(removeTempDirs)

const setUp = (verdicts: VerdictOptions = {}) => {
  const workingDir = realpathSync(tempDir())
  const tool = createBashTool({ verdicts, jobs: new JobStore({ directory: tempDir() }) })
  const run = (command: string, context: Partial<ToolContext> = {}) =>
    tool.execute({ command }, { workingDir, ...context })
  return { tool, workingDir, run }
}

/** A repository that runs a program of its own when git looks at it. */
const hostileRepository = async () => {
  const { workingDir } = setUp()
  const canary = join(workingDir, 'canary')
  const program = join(workingDir, 'monitor')
  writeFileSync(program, `#!/bin/sh\necho ran > ${canary}\n`)
  chmodSync(program, 0o755)
  const git = createBashTool()
  const set = `git init -q && git config core.fsmonitor ${program}`
  expect(await git.execute({ command: set }, { workingDir })).toMatchObject({ status: 'completed' })
  return { workingDir, canary }
}

testRestricted('what a repository runs can change nothing', async () => {
  const control = await hostileRepository()
  await setUp({ reads: 'same' }).run('git status', { workingDir: control.workingDir })
  expect(existsSync(control.canary)).toBe(true)

  const { workingDir, canary } = await hostileRepository()
  expect(await setUp().run('git status', { workingDir })).toMatchObject({
    status: 'completed',
    sandbox: 'restricted',
    readConfined: true,
    judgement: { decision: 'allow', repository: true },
  })
  expect(existsSync(canary)).toBe(false)
})

for (const [what, command] of [
  ['a variable beside it', 'x=1; git status --short'],
  ['what is read beside it', 'read -r x <<< hi; git diff'],
  ['another directory behind it', 'git status --short; pushd . > /dev/null'],
] as const) {
  testRestricted(`nor in a session, with ${what}`, async () => {
    const { workingDir, canary } = await hostileRepository()
    const session = new BashSession({ workingDir })
    const { tool, run } = setUp()
    const result = await run(command, { session })

    expect(result).toMatchObject({ status: 'completed', sandbox: 'restricted', readConfined: true })
    expect(tool.toText(result)).toContain(
      '[session state not saved: with git among its commands it ran confined, and leaves nothing to the session]',
    )
    expect(existsSync(canary)).toBe(false)
  })
}

testRestricted('nor beside a command that a rule allows: it asks', async () => {
  const { workingDir, canary } = await hostileRepository()
  const policy = loadPolicy({ rules: [{ prefix: ['mkdir'], decision: 'allow' }] })
  const { run } = setUp({ policy })

  expect(await run('mkdir -p sub; git status', { workingDir })).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'needs-approval' },
    judgement: { reasons: [{ rule: 'cannot-be-confined' }] },
  })
  expect(existsSync(canary)).toBe(false)
})

testRestricted('git that a rule allows runs as the conversation does', async () => {
  const { workingDir } = await hostileRepository()
  const policy = loadPolicy({ rules: [{ prefix: ['git', 'status'], decision: 'allow' }] })

  expect(await setUp({ policy }).run('git status', { workingDir })).toMatchObject({
    status: 'completed',
    sandbox: 'unrestricted',
    judgement: { repository: true },
  })
})

testRestricted('a job of a session leaves nothing, and so is confined', async () => {
  const directory = tempDir()
  const { bash, killBash } = createBashSuite({ verdicts: {}, jobs: new JobStore({ directory }) })
  const context = { workingDir: '/' }
  const { jobId = '', ...result } = await bash.execute(
    { command: 'x=1; sleep 60', run_in_background: true },
    context,
  )

  expect(result).toMatchObject({ status: 'background', readConfined: true })
  await killBash.execute({ bash_id: jobId }, context)
})

testRestricted('it has a directory for temporary files', async () => {
  const { run } = setUp()

  expect((await run('echo $TMPDIR')).output).toMatch(/bashward-scratch-/)
  const text = 'head -c 20000000 /dev/urandom | base64 | sort -S 1M | tail -n 1 | wc -l'
  expect(await run(text)).toMatchObject({ status: 'completed', output: '1\n', readConfined: true })
})

testRestricted('what a rule allows runs as the conversation does', async () => {
  const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'allow' }] })
  const { run } = setUp({ policy })

  expect(await run('ls | wc -l; touch made')).toMatchObject({ status: 'completed', sandbox: 'unrestricted' })
})

testRestricted('so does what a person has approved', async () => {
  const { run } = setUp({ approve: async () => 'once' })
  const result = await run('ls; touch made')

  expect(result).toMatchObject({ status: 'completed', sandbox: 'unrestricted' })
  expect(result).not.toHaveProperty('readConfined')
})

test("with reads: 'same' it runs as the conversation does", async () => {
  expect(await setUp({ reads: 'same' }).run('ls')).toMatchObject({
    status: 'completed',
    sandbox: 'unrestricted',
  })
})

testRestricted('a job that reads is confined', async () => {
  const directory = tempDir()
  const { bash, killBash } = createBashSuite({
    verdicts: {},
    jobs: new JobStore({ directory }),
    session: false,
  })
  const context = { workingDir: '/' }
  const { jobId = '', ...result } = await bash.execute(
    { command: 'sleep 60', run_in_background: true },
    context,
  )

  expect(result).toMatchObject({ status: 'background', sandbox: 'restricted', readConfined: true })
  await killBash.execute({ bash_id: jobId }, context)
})

testWorkspace('what the conversation cannot read stays unread', async () => {
  const base = realpathSync(tempDir())
  const keys = join(base, 'keys')
  mkdirSync(keys)
  writeFileSync(join(keys, 'key'), 'secret')
  const tool = createBashTool({ verdicts: {}, workspace: { unreadable: [keys] } })
  const context = { workingDir: base, sandbox: 'workspace' } as const
  const result = await tool.execute({ command: `cat ${keys}/key` }, context)

  expect(result).toMatchObject({ status: 'failed', sandbox: 'custom', readConfined: true })
  expect(result.output).not.toContain('secret')
})

testWorkspace('nor can it write where the conversation can', async () => {
  const { workingDir, canary } = await hostileRepository()
  await setUp().run('git status', { workingDir, sandbox: 'workspace' })

  expect(existsSync(canary)).toBe(false)
})

test('where there is no Restricted mode, what reads asks', () => {
  const shim = shimPrefix('ENOSYS')
  if (!Array.isArray(shim)) return cannotTest(shim.obstacle)
  const program = `
    const { createBashTool } = require(${JSON.stringify(packageRoot)})
    const bash = createBashTool({ verdicts: {} })
    bash.execute({ command: 'ls' }, { workingDir: '/' }).then((result) => console.log(bash.toText(result)))`
  const [command = '', ...words] = [...shim, process.execPath, '-e', program]
  const { stdout } = spawnSync(command, words, { encoding: 'utf8' })

  expect(stdout).toMatch(
    /^\[needs approval: nobody can be asked here\] `ls`: only reads, but cannot be confined here: Restricted mode is not available/,
  )
})

describe('in a session', () => {
  const inSession = (verdicts: VerdictOptions = {}) => {
    const { workingDir, run } = setUp(verdicts)
    const session = new BashSession({ workingDir })
    return { workingDir, session, run: (command: string) => run(command, { session }) }
  }

  testRestricted('a confined command finds what earlier ones have left', async () => {
    const { run } = inSession()
    expect(await run('cd /usr; x=1')).toMatchObject({ status: 'completed', sandbox: 'restricted' })

    expect(await run('pwd; echo $x')).toMatchObject({ output: '/usr\n1\n', readConfined: true })
  })

  testRestricted('it leaves nothing, and says nothing about that', async () => {
    const { run } = inSession()
    const result = await run('for f in a b; do echo $f; done')

    expect(result).toMatchObject({ output: 'a\nb\n', readConfined: true })
    expect(result).not.toHaveProperty('sessionUnsaved')
    expect(await run('echo "[$f]"')).toMatchObject({ output: '[]\n' })
  })

  testRestricted('a stage of a pipeline changes nothing', async () => {
    expect(await inSession().run('ls / | while read -r f; do echo $f; done | wc -l')).toMatchObject({
      readConfined: true,
    })
  })

  for (const [change, look, output] of [
    ['cd /', 'pwd', '/\n'],
    ['pushd /usr >/dev/null', 'dirs -p | wc -l', '2\n'],
    ['x=1', 'echo $x', '1\n'],
    ['x=(a "b c")', 'echo "${x[1]}"', 'b c\n'],
    ['export CI=1', 'echo $CI', '1\n'],
    ['LC_ALL=C', 'echo $LC_ALL', 'C\n'],
    ['read -r x <<< word', 'echo $x', 'word\n'],
    ['f() { echo hi; }', 'type -t f', 'function\n'],
    ['printf -v x %s y', 'echo $x', 'y\n'],
    ['shopt -s nullglob', 'shopt nullglob | grep -c on', '1\n'],
    ['set -- a b', 'echo $2', 'b\n'],
    ["eval 'y=2'", 'echo $y', '2\n'],
    ['command cd /', 'pwd', '/\n'],
  ] as const) {
    testRestricted(`${change} runs confined, and is kept`, async () => {
      const { run } = inSession()
      const result = await run(change)

      expect(result).toMatchObject({
        status: 'completed',
        judgement: { decision: 'allow' },
        sandbox: 'restricted',
        readConfined: true,
      })
      expect(result).not.toHaveProperty('sessionUnsaved')
      expect((await run(look)).output).toBe(output)
    })
  }

  testRestricted(
    'a program that is not what its name says changes nothing, beside a variable either',
    async () => {
      const { workingDir } = setUp()
      const canary = join(workingDir, 'canary')
      const programs = join(workingDir, 'programs')
      mkdirSync(programs)
      writeFileSync(join(programs, 'wc'), `#!/bin/sh\necho ran > ${canary}\n`)
      chmodSync(join(programs, 'wc'), 0o755)
      const PATH = `${programs}:${process.env.PATH}`
      const runWith = async (verdicts: VerdictOptions) => {
        const tool = createBashTool({ verdicts, env: { set: { PATH } } })
        return await tool.execute(
          { command: 'x=1; wc' },
          { workingDir, session: new BashSession({ workingDir }) },
        )
      }
      expect(await runWith({})).toMatchObject({ readConfined: true, status: 'failed' })
      expect(existsSync(canary)).toBe(false)

      await runWith({ reads: 'same' })
      expect(existsSync(canary)).toBe(true)
    },
  )

  testRestricted(
    'of what it changes, the session of the conversation knows, and that of Restricted mode does not',
    async () => {
      const { workingDir, session, run } = inSession()
      await run('x=1')
      const other = setUp()

      expect(await other.run('echo "[$x]"', { session, sandbox: 'restricted', workingDir })).toMatchObject({
        output: '[]\n',
      })
    },
  )

  testRestricted('the session does not follow it into its scratch directory', async () => {
    const { workingDir, run } = inSession()

    expect(await run('x=1; cd "$TMPDIR"')).toMatchObject({
      sessionUnsaved: 'the directory (all else is kept)',
    })
    expect(await run('pwd; echo $x')).toMatchObject({ output: `${workingDir}\n1\n` })
  })

  test.each([
    'PATH=/nowhere:$PATH',
    'ls() { touch made; }',
    "shopt -s expand_aliases; alias ls='touch made'",
    'export GIT_DIR=/nowhere',
    'shopt -s extglob',
    'declare -i count',
    'declare -n other=PATH',
  ])('behind an approved %s', async (change) => {
    const questions: string[] = []
    const { workingDir, run } = inSession({
      reads: 'same',
      approve: async ({ command }) => {
        questions.push(command)
        return command === change ? 'once' : { deny: '' }
      },
    })
    expect(await run(change)).toMatchObject({ status: 'completed' })

    // Reading is confined all the same, and what changes the shell asks.
    expect(await run('ls')).toMatchObject({ readConfined: true })
    expect(await run('x=1')).toMatchObject({ status: 'rejected', rejection: { rule: 'not-approved' } })
    expect(questions.at(-1)).toBe('x=1')
    expect(existsSync(join(workingDir, 'made'))).toBe(false)
  })
})
