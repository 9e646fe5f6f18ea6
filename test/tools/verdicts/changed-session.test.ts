// A session whose functions, aliases or variables make a command something else than it says.
import { existsSync } from 'node:fs'
import { BashSession, loadPolicy, type PolicyRule, type VerdictOptions } from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { approving, setUp } from './judged-tool.js'

afterAll(removeTempDirs)

const inSession = (verdicts: VerdictOptions, ...allowed: string[]) => {
  const rules = allowed.map((program): PolicyRule => ({ prefix: [program], decision: 'allow' }))
  const { run, workingDir, made } = setUp({ policy: loadPolicy({ rules }), ...verdicts })
  const session = new BashSession({ workingDir })
  return { workingDir, made, session, run: (command: string) => run(command, { session }) }
}

const reasonsOf = ({ judgement }: { judgement?: { reasons: { message: string }[] } }) =>
  judgement?.reasons.map(({ message }) => message).join('\n')

describe.each(['confined', 'same'] as const)('reads: %s', (reads) => {
  test.each([
    ['a function', 'ls() { touch made; }', 'ls'],
    [
      'another PATH',
      'mkdir bin; printf "#!/bin/sh\\ntouch made\\n" >bin/ls; chmod +x bin/ls; PATH=$PWD/bin:$PATH',
      'ls',
    ],
    ['an alias', "shopt -s expand_aliases; alias look='touch made'; alias ls=look", 'ls'],
  ])('%s of an approved command: what reads beside a rule asks', async (_, change, word) => {
    const { run, made } = inSession(
      { reads, approve: async ({ command }) => (command === change ? 'once' : { deny: '' }) },
      'logger',
    )
    expect(await run(change)).toMatchObject({ status: 'completed' })

    expect(await run(`logger --version; ${word}`)).toMatchObject({ status: 'rejected' })
    expect(existsSync(made)).toBe(false)
    expect(await run('logger --version')).toMatchObject({
      status: 'completed',
      judgement: { decision: 'allow' },
    })
  })

  test('in a session that nothing has changed it runs', async () => {
    const { run } = inSession({ reads }, 'logger')
    expect(await run('logger --version; ls')).toMatchObject({ status: 'completed' })
  })
})

testRestricted('a person sees that a program is a function of the session', async () => {
  const { requests, approve } = approving({ deny: '' })
  const { run } = inSession({ approve })
  expect(await run('npm() { cd /usr; }')).toMatchObject({ status: 'completed', readConfined: true })

  expect(reasonsOf(await run('npm ci && rm -rf build'))).toContain(
    '`npm` is a function of this session: `npm () { cd /usr }`',
  )
  expect(requests).toMatchObject([
    { judgement: { suggestion: null, reasons: [{ rule: 'defined-in-session' }, {}, {}] } },
  ])
})

describe('a rule does not count for a function of the session', () => {
  for (const command of [
    'maker',
    'm""aker',
    "$'\\x6daker'",
    'command maker',
    'x=1 maker',
    'source script',
    '. script',
  ]) {
    testRestricted(command, async () => {
      const { run, session, workingDir } = inSession({})
      // Before there was a rule: with one, the definition asks.
      expect(await run('maker() { cd /usr; }')).toMatchObject({ readConfined: true })

      const rules: PolicyRule[] = [{ prefix: [['maker', 'source', '.']], decision: 'allow' }]
      const result = await setUp({ policy: loadPolicy({ rules }) }).run(command, { session, workingDir })
      expect(result).toMatchObject({ status: 'rejected', judgement: { decision: 'ask' } })
      expect(reasonsOf(result)).toContain('`maker`')
    })
  }
})

testRestricted('where what is called cannot be seen, the functions of the session are named', async () => {
  const { requests, approve } = approving({ deny: '' })
  const { run } = inSession({ approve })
  await run('npm() { cd /usr; }')
  await run('./x')
  await run('x=npm; $x ci')
  await run('eval "$(cat x)"')

  const named = requests.map((request) => request.kind === 'command' && request.judgement.reasons[0]?.message)
  expect(named).toEqual([
    expect.not.stringContaining('npm'),
    '`npm` is a function of this session: `npm () { cd /usr }`',
    'may call functions or aliases of this session: `npm`',
  ])
})
