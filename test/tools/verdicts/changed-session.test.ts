// A session whose functions, aliases or variables make a command something else than it says.
import { existsSync } from 'node:fs'
import { BashSession, loadPolicy, type PolicyRule, type VerdictOptions } from '../../../lib/index.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { setUp } from './judged-tool.js'

afterAll(removeTempDirs)

const inSession = (verdicts: VerdictOptions, ...allowed: string[]) => {
  const rules = allowed.map((program): PolicyRule => ({ prefix: [program], decision: 'allow' }))
  const { run, workingDir, made } = setUp({ policy: loadPolicy({ rules }), ...verdicts })
  const session = new BashSession({ workingDir })
  return { workingDir, made, session, run: (command: string) => run(command, { session }) }
}

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
