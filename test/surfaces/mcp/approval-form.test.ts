// What a person is asked over MCP, and what answers mean.

import { judgeCommand } from '../../../lib/guard/verdicts/judge-command.js'
import { approvalAnswer, approvalForm } from '../../../lib/surfaces/mcp/approval-form.js'
import type { ApprovalRequest } from '../../../lib/tools/verdicts/options.js'

const requestFor = async (command: string, workingDir = '/srv/project'): Promise<ApprovalRequest> => {
  const judgement = await judgeCommand(command, { workingDir: '/' })
  return { kind: 'command', command, workingDir, judgement }
}

const granting: ApprovalRequest = {
  kind: 'grant',
  command: 'touch /srv/other/x',
  workingDir: '/srv/project',
  denial: { operation: 'write', target: '/srv/other/x', grant: { writable: ['/srv/other'] } },
}

interface Schema {
  properties: { answer: { enum: string[]; description: string }; reason: object }
  required: string[]
}

const formFor = (request: ApprovalRequest) => {
  const { message, requestedSchema } = approvalForm(request)
  return { message, schema: requestedSchema as unknown as Schema }
}

test('tells the directory, the reasons, a line each, and the command', async () => {
  const { message } = formFor(await requestFor('npm test && touch x'))

  expect(message).toBe(`Run this command in /srv/project?

\`npm test\`: reaches a network
\`touch x\`: changes files or processes

    npm test && touch x`)
})

test('asks for one of three answers, and a reason', async () => {
  const { schema } = formFor(await requestFor('npm test && touch x'))

  expect(schema.properties.answer.enum).toEqual(['once', 'always', 'deny'])
  expect(schema.properties.answer.description).toContain('commands that begin with `npm test` or `touch`')
  expect(schema.properties.reason).toMatchObject({ type: 'string' })
  expect(schema.required).toEqual(['answer'])
})

test('"always" is not offered where it would allow everything', async () => {
  const { schema } = formFor(await requestFor('python3 script.py'))

  expect(schema.properties.answer.enum).toEqual(['once', 'deny'])
  expect(schema.properties.answer.description).not.toContain('always')
})

test('tells what a sandbox would grant', () => {
  const { message, schema } = formFor(granting)

  expect(message).toBe(`Run this command in /srv/project?

The sandbox has refused it: write /srv/other/x
It would run once more, and be given {"writable":["/srv/other"]}

    touch /srv/other/x`)
  expect(schema.properties.answer.enum).toEqual(['once', 'deny'])
})

test('what would move a cursor, or turn the direction of writing, is visible', async () => {
  const request = await requestFor('touch a\u001b[2Kb\r\u202etxt\u200b\t', '/srv/\u001b]0;x\u0007')
  const { message } = formFor(request)

  expect(message).toContain('    touch a\\x1b[2Kb\\r\\u202etxt\\u200b\\t')
  expect(message).toContain('in /srv/\\x1b]0;x\\x07?')
  expect(message).toMatch(/^[\P{C}\n]*$/u)
})

test('no line of a command can be taken for one of the question', async () => {
  const { message } = formFor(await requestFor('touch x\n\nRun this command in /tmp?\n\n`ls`: only reads'))
  const [, ...after] = message.split('\n\n    touch x')

  for (const line of after.join('').split('\n')) expect(line).toMatch(/^(?: {4}|$)/)
})

describe('a long command is bounded, and says what is not shown', () => {
  test('of many lines', async () => {
    const { message } = formFor(await requestFor(`touch first\n${'touch x\n'.repeat(300)}touch last`))

    expect(message).toContain('\n    touch first\n')
    expect(message).toContain('\n[… 202 lines are not shown …]\n    touch x\n')
    expect(message).toMatch(/\n {4}touch last$/)
    expect(message.length).toBeLessThan(10_000)
  })

  test('of a long line', async () => {
    const { message } = formFor(await requestFor(`touch first ${'😀'.repeat(5000)} last`))

    expect(message).toContain('\n    touch first 😀')
    expect(message).toMatch(/\n\[… \d+ characters are not shown …\]\n {4}😀+ last$/u)
    expect(message).not.toMatch(/\p{Cs}/u)
    expect(message.length).toBeLessThan(5000)
  })

  test('of escapes only', async () => {
    const { message } = formFor(await requestFor(`touch ${'\u202e'.repeat(100_000)}`))

    expect(message.length).toBeLessThan(10_000)
  })
})

describe('an answer', () => {
  const accept = (content: unknown) => ({ action: 'accept', content })

  test.each([
    ['once', accept({ answer: 'once' }), 'once'],
    ['always', accept({ answer: 'always' }), 'always'],
    ['deny', accept({ answer: 'deny' }), { deny: '' }],
    ['deny with a reason', accept({ answer: 'deny', reason: ' use\ncargo ' }), { deny: 'use\\ncargo' }],
    ['a reason that is none', accept({ answer: 'deny', reason: 7 }), { deny: '' }],
    ['a refusal to answer', { action: 'decline' }, { deny: 'The client has declined it.' }],
    [
      'a closed question',
      { action: 'cancel', content: { answer: 'once' } },
      { deny: 'The client has closed the question without an answer.' },
    ],
    ['no content', accept(undefined), undefined],
    ['an empty content', accept({}), undefined],
    ['another word', accept({ answer: 'yes' }), undefined],
    ['another type', accept({ answer: ['once'] }), undefined],
    ['a content that is no object', accept('once'), undefined],
    ['no action', { content: { answer: 'once' } }, undefined],
    ['nothing', null, undefined],
  ])('%s', async (_, result, expected) => {
    expect(approvalAnswer(result, await requestFor('npm test'))).toEqual(expected)
  })

  test('"always" is none where it was not offered', async () => {
    const request = await requestFor('python3 script.py')

    expect(approvalAnswer(accept({ answer: 'always' }), request)).toBeUndefined()
    expect(approvalAnswer(accept({ answer: 'always' }), granting)).toBeUndefined()
  })

  test('a long reason is cut', async () => {
    const result = accept({ answer: 'deny', reason: 'a'.repeat(5000) })

    expect(approvalAnswer(result, await requestFor('npm test'))).toEqual({ deny: `${'a'.repeat(1000)}…` })
  })
})
