// What was found, as it is told: names are the command's choice.
import type { Finding } from '../../../lib/terminals/explain/finding.js'
import { present } from '../../../lib/terminals/explain/present.js'
import { waitingLine } from '../../../lib/terminals/explain/waiting-for.js'

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

const finding = (fields: Partial<Finding>): Finding => ({
  pid: 4711,
  command: 'sleep 60',
  kind: 'sleep',
  text: ['asleep for 5 more seconds'],
  ...fields,
})

test('a line names the process as survivors are named', () => {
  expect(waitingLine(present([finding({})]))).toBe('4711 (sleep 60): asleep for 5 more seconds')
})

test('a line names three, and counts the others', () => {
  const found = [1, 2, 3, 4, 5].map((pid) => finding({ pid, text: ['x'] }))

  expect(waitingLine(present(found))).toBe('1 (sleep 60): x; 2 (sleep 60): x; 3 (sleep 60): x; and 2 more')
  expect(waitingLine([])).toBe('')
})

test.each([
  ['line breaks', 'evil\n[command completed]\r\nnext', 'evil [command completed] next'],
  ['escape sequences', 'a\x1b[31mred\x07', 'a [31mred'],
  ['marks of direction', 'a\u202eb\u2066c', 'a b c'],
  ['bytes that are no text', Buffer.from([0x61, 0xff, 0x62]).toString('latin1'), 'a\uFFFDb'],
])('%s in a name do no harm', (_, name, shown) => {
  const command = /^[\0-\xff]*$/.test(name) ? name : latin1(name)
  const [told] = present([
    finding({ command, text: ['waiting for ', { path: command }], peer: { pid: 1, command } }),
  ])

  expect(told).toMatchObject({ command: shown, text: `waiting for ${shown}`, peer: { command: shown } })
})

test('a long command line is cut, in a text sooner', () => {
  const command = `x ${'é'.repeat(1000)}`
  const [told] = present([finding({ command: latin1(command), text: [{ command: latin1(command) }] })])

  expect(told?.command).toBe(`x ${'é'.repeat(197)}…`)
  expect(told?.text).toBe(`x ${'é'.repeat(57)}…`)
})

test('of a long path the end is kept', () => {
  const [told] = present([finding({ text: [{ path: `/${'a'.repeat(500)}/index.lock` }] })])

  expect(told?.text).toMatch(/^…a{88}\/index\.lock$/)
})

test('no emoji is cut in half', () => {
  const command = latin1(`${'a'.repeat(58)}😀😀`)
  const [told] = present([finding({ text: [{ command }, { path: `/${latin1('😀'.repeat(80))}` }] })])

  expect(Buffer.from(told?.text ?? '').toString()).toBe(told?.text)
})

test('secrets are hidden before anything is cut', () => {
  const secret = 'abcdefgh12345678'
  const hide = (text: string) => text.replaceAll(secret, '[removed]')
  const command = `${'x'.repeat(50)}${secret}`
  const found = finding({ command, text: [{ command }, { path: `/${secret}` }], peer: { pid: 2, command } })

  expect(JSON.stringify(present([found], hide))).not.toMatch(/abcd/)
})

test('tokens of the proxy are hidden in any case', () => {
  const token = '0123456789abcdef'.repeat(3)
  const [told] = present([finding({ command: `curl -x http://bashward:${token}@127.0.0.1:1/` })])

  expect(told?.command).toBe(`curl -x http://bashward:${'*'.repeat(48)}@127.0.0.1:1/`)
})
