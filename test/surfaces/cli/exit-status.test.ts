import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

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
    ['is 0 for a job that has been started', ['--mode', 'background', 'exit 3'], 0],
    [
      'is 125 when a job cannot be started',
      ['--mode', 'background', '--cwd', '/no/such/directory', 'true'],
      125,
    ],
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

describe.each(['exec', 'suite'])('the exit status with --profile %s', (profile) => {
  test.each([
    ['of a success', ['true'], 0],
    ['of a failure', ['exit 3'], 3],
    ['of a command that bash does not find', ['no-such-command-at-all'], 127],
    ['of a file that is no program', ['/dev/null'], 126],
    ['of a command that a signal ends', ['kill -9 $$'], 137],
    ['of a command that a real-time signal ends', ['kill -35 $$'], 163],
    ['at the timeout', ['--timeout', '0.1', 'sleep 30'], 124],
    ['when the working directory is missing', ['--cwd', '/no/such/directory', 'true'], 125],
  ])('%s', async (_, args, status) => {
    expect(await bashward(['run', '--profile', profile, ...args])).toMatchObject({ code: status })
  })

  test('is the same with --json', async () => {
    const options = ['--profile', profile, '--json', '--timeout', '0.1']
    expect(await bashward(['run', ...options, 'sleep 30'])).toMatchObject({ code: 124 })
  })
})
