// What is refused as a command, and how run() says so.

import { checkCommandText } from '../../../lib/commands/run/command-text.js'
import { run } from '../../../lib/index.js'

const refusal = (message: string) =>
  expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message })

describe('checkCommandText', () => {
  test.each([
    [undefined, 'command: must be a string (got undefined)'],
    [['ls'], 'command: must be a string (got ["ls"])'],
    [{ command: 'ls' }, 'command: must be a string (got {"command":"ls"})'],
    ['echo a\0b', 'command: must not contain NUL characters (got one at index 6)'],
  ])('%j is refused', (command, message) => {
    expect(() => checkCommandText(command)).toThrow(refusal(message))
  })

  const maximum = 4 * 1024 * 1024

  test('4 MiB are allowed', () => {
    expect(() => checkCommandText('#'.repeat(maximum))).not.toThrow()
    expect(() => checkCommandText('é'.repeat(maximum / 2))).not.toThrow()
  })

  test.each([
    ['one byte more', '#'.repeat(maximum + 1), maximum + 1],
    ['one character of two bytes more', 'é'.repeat(maximum / 2 + 1), maximum + 2],
  ])('%s is refused with the sizes and a way out', (_, command, bytes) => {
    expect(() => checkCommandText(command)).toThrow(
      refusal(`command: must be at most 4194304 bytes (got ${bytes}); write a script to a file and run that`),
    )
  })
})

describe('run', () => {
  test('rejects, and does not throw, for a command that is none', async () => {
    await expect(run(undefined as unknown as string, { cwd: '/' })).rejects.toThrow(
      refusal('command: must be a string (got undefined)'),
    )
  })

  test('rejects, and does not throw, without options', async () => {
    const untyped = run as (command: string) => Promise<unknown>

    await expect(untyped('true')).rejects.toThrow(refusal('options: must be an object (got undefined)'))
  })
})
