// What the model reads of what the sandbox has refused and found.
import type { BashResult } from '../../lib/commands/run/result.js'
import { blankResult } from '../../lib/commands/run/result.js'
import type { Denial } from '../../lib/guard/sandbox/denials.js'
import { bashText } from '../../lib/tools/bash-text.js'
import { execText, toExecResult } from '../../lib/tools/exec-result.js'

const resultOf = (fields: Partial<BashResult>): BashResult => ({
  ...blankResult('the command', 'failed', 'workspace'),
  exitCode: 1,
  output: 'out',
  ...fields,
})
const lastLines = (fields: Partial<BashResult>) => bashText(resultOf(fields)).split('\n').slice(2)

const denied = 'writing is allowed below /ws and $TMPDIR only'
const write = (target: string): Denial => ({ operation: 'write', target, inferred: true })

test('the sentence is followed by what was refused', () => {
  expect(lastLines({ denied, denials: [write('/etc/x')] })).toEqual([
    `[sandbox: ${denied}; refused: write /etc/x]`,
  ])
})

test('a command that was taken for one that only reads learns why it was confined', () => {
  expect(lastLines({ denied, readConfined: true })).toEqual([
    `[sandbox: ${denied}; the command ran confined, because it was taken for one that only reads]`,
  ])
})

test('what a person has granted is told, on one line', () => {
  const granted = [
    { writable: ['/srv/a\nb'] },
    { network: { domains: ['one.example', 'two.example'] } },
    { sharedMemory: true },
  ]

  expect(lastLines({ granted })).toEqual([
    '[sandbox: a person has granted it writable /srv/a b, network one.example two.example, sharedMemory, and the command ran again]',
  ])
})

test('three are named, and the rest is counted', () => {
  const denials = ['/a', '/b', '/c', '/d', '/e'].map(write)

  expect(lastLines({ denied, denials, denialsDropped: 7 })).toEqual([
    `[sandbox: ${denied}; refused: write /a, write /b, write /c, and 9 more]`,
  ])
})

test('what has no name is in the sentence', () => {
  const network = 'network is blocked in Workspace mode'
  const denials: Denial[] = [{ operation: 'network', target: '', inferred: true }]

  expect(lastLines({ denied: network, denials })).toEqual([`[sandbox: ${network}]`])
})

test('what the sentence names is not named again', () => {
  const read = '/root/.ssh/id is not readable in Workspace mode'
  const denials: Denial[] = [{ operation: 'read', target: '/root/.ssh/id', inferred: true }]

  expect(lastLines({ denied: read, denials })).toEqual([`[sandbox: ${read}]`])
})

test('a long target is cut', () => {
  const [line = ''] = lastLines({ denied, denials: [write(`/${'x'.repeat(4095)}`)] })

  expect(line).toHaveLength(`[sandbox: ${denied}; refused: write ]`.length + 201)
})

test('in Restricted mode the line is as it was', () => {
  const sentence = 'files are read-only in Restricted mode'

  expect(lastLines({ sandbox: 'restricted', denied: sentence, denials: [write('/etc/x')] })).toEqual([
    `[sandbox: ${sentence}]`,
  ])
})

test('what other programs may run comes last, of a success too', () => {
  const protectedChanged = ['/ws/.git/hooks/post-checkout', '/ws/.envrc']
  const changed =
    '[sandbox: this command changed /ws/.git/hooks/post-checkout, /ws/.envrc: other programs may run what is in there]'

  expect(lastLines({ denied, protectedChanged })).toEqual([`[sandbox: ${denied}]`, changed])
  expect(bashText(resultOf({ status: 'completed', exitCode: 0, protectedChanged }))).toBe(`out\n${changed}`)
})

test('of many changes five are named, each in one line', () => {
  const protectedChanged = ['/ws/.git/hooks/a\n[sandbox: x]', '/b', '/c', '/d', '/e', '/f', '/g']

  expect(lastLines({ protectedChanged })).toEqual([
    '[sandbox: this command changed /ws/.git/hooks/a [sandbox: x], /b, /c, /d, /e and 2 more: other programs may run what is in there]',
  ])
})

test('what else may have changed is counted beside what has', () => {
  const line = (protectedDropped: number) =>
    lastLines({ protectedChanged: ['/ws/.envrc'], protectedDropped })[0]

  expect(line(1)).toContain('changed /ws/.envrc, and perhaps 1 more watched path: other')
  expect(line(3)).toContain('changed /ws/.envrc, and perhaps 3 more watched paths: other')
  expect(lastLines({ protectedDropped: 3 })).not.toContainEqual(expect.stringContaining('watched'))
})

describe('the exec tool', () => {
  const denials: Denial[] = [{ operation: 'chmod', target: '/etc/x', grant: { writable: ['/etc'] } }]
  const result = resultOf({ denied, denials, denialsDropped: 1, protectedChanged: ['/ws/.envrc'] })

  test('says it in its error, and has the fields', () => {
    expect(toExecResult({ ...result, stdout: '', stderr: '' })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 1,
      error: `perhaps blocked by the sandbox: ${denied}; refused: chmod /etc/x, and 1 more`,
      denials,
      denialsDropped: 1,
      protectedChanged: ['/ws/.envrc'],
    })
  })

  test('tells the model what has changed', () => {
    const { error: _, ...fields } = JSON.parse(execText(toExecResult(result)))

    expect(fields).toEqual({ stdout: '', stderr: '', exitCode: 1, protectedChanged: ['/ws/.envrc'] })
  })
})
