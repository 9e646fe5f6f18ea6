// What rules decide about the commands of a tool with `verdicts`: those of the host, of the conversation, and of the project.
import { existsSync, realpathSync } from 'node:fs'
import { createBashTool, loadPolicy } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { approving, setUp } from './judged-tool.js'

afterAll(removeTempDirs)

test('what a rule denies is rejected, and nobody is asked', async () => {
  const { requests, approve } = approving('once')
  const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'no new files' }] })
  const { tool, run, made } = setUp({ approve, policy })
  const result = await run('env touch made')

  expect(result).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'touch' },
    judgement: { decision: 'deny' },
  })
  expect(tool.toText(result)).toBe('[command rejected: touch] `touch made`: is denied: no new files')
  expect(requests).toEqual([])
  expect(existsSync(made)).toBe(false)
})

test('rules of the tool and of the context count both, the strictest first', async () => {
  const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny' }] })
  const { run } = setUp({ policy })
  const ofContext = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'allow' }] })

  expect(await run('touch made', { policy: ofContext })).toMatchObject({ judgement: { decision: 'deny' } })
})

test('with default deny nobody is asked about what is not known', async () => {
  const { requests, approve } = approving('once')
  const { run } = setUp({ approve, default: 'deny' })

  expect(await run('touch made')).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'not-known-to-read' },
  })
  expect(requests).toEqual([])
})

test('a safety rule denies what it refuses, whatever approve says', async () => {
  const { run } = setUp({ approve: async () => 'once' })

  expect(await run('git push --force')).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'git-push-force' },
    judgement: { decision: 'deny' },
  })
})

test('a blind git add is asked about, and a refusal where nobody can be asked', async () => {
  const { requests, approve } = approving({ deny: '' })
  await setUp({ approve }).run('git add -A')
  expect(requests).toMatchObject([{ judgement: { reasons: [{ rule: 'git-add-blind' }] } }])

  expect(await setUp({}).run('git add -A')).toMatchObject({ rejection: { rule: 'git-add-blind' } })
})

test('rules that the host adds and those that it switches off', async () => {
  const noTouch = {
    name: 'no-touch',
    applies: ({ program, words }: { program: string; words: readonly [unknown] }) =>
      program === 'touch' ? words[0] : null,
    explain: () => 'Files are made by the editor.',
  }
  const rules = { off: ['git-push-force'], add: [noTouch as never] }
  const tool = createBashTool({ verdicts: {}, safety: { rules } })
  const decide = async (command: string) => (await tool.judge?.({ command }, { workingDir: '/' }))?.decision

  expect([await decide('touch made'), await decide('git push --force')]).toEqual(['deny', 'ask'])
})

test('a rule of the host that fails is an error, and nothing runs', async () => {
  const broken = {
    name: 'broken',
    applies: () => {
      throw new Error('oh')
    },
    explain: () => '',
  }
  const workingDir = realpathSync(tempDir())
  const tool = createBashTool({ verdicts: {}, safety: { rules: { add: [broken] } } })

  expect(await tool.execute({ command: 'ls' }, { workingDir })).toMatchObject({
    status: 'error',
    error: { code: 'ERR_SAFETY_RULE' },
  })
})

test('without safety rules what they would refuse asks', async () => {
  const tool = createBashTool({ verdicts: {}, safety: false })

  expect(await tool.judge?.({ command: 'git push --force' }, { workingDir: '/' })).toMatchObject({
    decision: 'ask',
  })
})

test('what needs a terminal may run in the background', async () => {
  const tool = createBashTool({ verdicts: {} })
  const judge = async (mode: string) =>
    (await tool.judge?.({ command: 'vim x', mode }, { workingDir: '/' }))?.decision

  expect([await judge('default'), await judge('background')]).toEqual(['deny', 'ask'])
})
