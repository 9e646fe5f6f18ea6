import { exitStatusOf, signalStatus } from '../../lib/cli/exit-status.js'
import { blankResult } from '../../lib/engine/result.js'
import { bashward, killPrograms } from './program.js'

afterEach(killPrograms)

describe('the exit status of bashward run', () => {
  test.each([
    ['is the command’s when it succeeds', ['true'], 0],
    ['is the command’s when it fails', ['exit 3'], 3],
    ['is 127 when bash finds no such command', ['no-such-command-at-all'], 127],
    ['is 128+n when signal n ends the command', ['kill -9 $$'], 137],
    ['is 128+n for a real-time signal', ['kill -35 $$'], 163],
    ['is 124 at the timeout', ['--timeout', '0.1', 'sleep 30'], 124],
    ['is 125 when the working directory is missing', ['--cwd', '/no/such/directory', 'true'], 125],
    ['is 125 for a mode that is not available yet', ['--mode', 'background', 'true'], 125],
  ])('%s', async (_, args, status) => {
    const { code, signal } = await bashward(['run', ...args])

    expect({ code, signal }).toEqual({ code: status, signal: null })
  })

  test('is the same with --json', async () => {
    expect(await bashward(['run', '--json', 'exit 3'])).toMatchObject({ code: 3 })
    expect(await bashward(['run', '--json', '--timeout', '0.1', 'sleep 30'])).toMatchObject({ code: 124 })
    expect(await bashward(['run', '--json', '--cwd', '/no/such/directory', 'true'])).toMatchObject({
      code: 125,
    })
  })
})

describe('exitStatusOf', () => {
  test.each([
    ['rejected', 126],
    ['cancelled', 130],
    ['background', 0],
    ['invalid', 125],
    ['error', 125],
  ] as const)('%s is %d', (status, expected) => {
    expect(exitStatusOf(blankResult('true', status))).toBe(expected)
  })
})

describe('signalStatus', () => {
  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGPIPE', 141],
    ['SIGTERM', 143],
  ])('%s is %d', (signal, expected) => {
    expect(signalStatus(signal)).toBe(expected)
  })
})
