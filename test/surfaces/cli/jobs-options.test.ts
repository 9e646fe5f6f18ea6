import { UsageError } from '../../../lib/surfaces/cli/command-line.js'
import { parseJobsCall } from '../../../lib/surfaces/cli/jobs-options.js'

describe('parseJobsCall', () => {
  test('lists when nothing else is said', () => {
    expect(parseJobsCall([])).toEqual({ action: 'list', json: false })
    expect(parseJobsCall(['--json'])).toEqual({ action: 'list', json: true })
    expect(parseJobsCall(['list'])).toEqual({ action: 'list', json: false })
  })

  test('takes options after the words', () => {
    expect(parseJobsCall(['output', 'bash_aaaaaa', '--filter', '-x', '--offset', '12', '--json'])).toEqual({
      action: 'output',
      id: 'bash_aaaaaa',
      filter: '-x',
      offset: 12,
      json: true,
    })
  })

  test('reads from the beginning, and all of it, unless told otherwise', () => {
    expect(parseJobsCall(['output', 'x'])).toMatchObject({ offset: 0, filter: undefined })
  })

  test('lists those that run', () => {
    expect(parseJobsCall(['--running'])).toEqual({ action: 'list', json: false, isRunning: true })
  })

  test.each(['--follow', '-f'])('follows with %s', (option) => {
    expect(parseJobsCall(['output', option, 'x'])).toMatchObject({ id: 'x', isFollowed: true })
  })

  test('waits for one job', () => {
    expect(parseJobsCall(['wait', 'x', '--json'])).toEqual({ action: 'wait', id: 'x', json: true })
  })

  test('waits for so long', () => {
    expect(parseJobsCall(['wait', 'x', '--timeout', '1.5'])).toMatchObject({ timeoutMs: 1500 })
  })

  test('joins the words of a text with spaces, and takes those behind -- as they are', () => {
    expect(parseJobsCall(['input', 'x', 'two', 'words'])).toEqual({
      action: 'input',
      id: 'x',
      input: { text: 'two words', submit: true },
      json: false,
    })
    expect(parseJobsCall(['input', 'x', '--no-submit', '--', '--json'])).toMatchObject({
      input: { text: '--json', submit: false },
    })
  })

  test('takes words for keys with --keys', () => {
    expect(parseJobsCall(['input', 'x', '--keys', 'C-c', 'Enter'])).toMatchObject({
      input: { keys: ['C-c', 'Enter'] },
    })
  })

  test('takes no secret from the command line', () => {
    expect(parseJobsCall(['input', 'x', '--secret'])).toMatchObject({ input: { isSecret: true } })
  })

  test('attaches', () => {
    const call = { action: 'attach', id: 'x', json: false }
    expect(parseJobsCall(['attach', 'x'])).toEqual({ ...call, isReadOnly: false, isResized: false })
    expect(parseJobsCall(['attach', 'x', '--read-only'])).toMatchObject({ isReadOnly: true })
    expect(parseJobsCall(['attach', 'x', '--resize'])).toMatchObject({ isResized: true })
  })

  test('cleans up by age, or all', () => {
    expect(parseJobsCall(['clean'])).toEqual({ action: 'clean', json: false })
    expect(parseJobsCall(['clean', '--all'])).toEqual({ action: 'clean', json: false, isAll: true })
  })

  test('kills one job', () => {
    expect(parseJobsCall(['--json', 'kill', 'x'])).toEqual({ action: 'kill', id: 'x', json: true })
  })

  test.each([
    [
      'frobnicate',
      "unknown word 'frobnicate': must be one of list, output, wait, attach, screen, input, explain, watch, kill, clean",
    ],
    ['output', "'output' needs the id of a job"],
    ['kill', "'kill' needs the id of a job"],
    ['kill one two', "unexpected word 'two' after 'one'"],
    ['list one', "unexpected word 'one' after 'list'"],
    ['--filter x', "--filter goes with 'output' only"],
    ['wait', "'wait' needs the id of a job"],
    ['wait one two', "unexpected word 'two' after 'one'"],
    ['clean one', "unexpected word 'one' after 'clean'"],
    ['wait one --follow', "--follow goes with 'output' only"],
    ['--follow', "--follow goes with 'output' only"],
    ['output one --running', "--running goes with 'list' only"],
    ['kill one --all', "--all goes with 'clean' only"],
    ['kill one --offset 1', "--offset goes with 'output' only"],
    ['atach one', "unknown word 'atach': did you mean 'attach'?"],
    ['attach one --readonly', "unknown option '--readonly': did you mean '--read-only'?"],
    [
      'attach one --read-only --resize',
      '--read-only and --resize exclude each other: who resizes changes the job',
    ],
    ['attach one --json', "--json means nothing with 'attach', which shows a screen"],
    ['screen', "'screen' needs the id of a job"],
    ['screen one --resize', "--resize goes with 'attach' only"],
    ['input', "'input' needs the id of a job"],
    ['input one', "'input' needs a text, --keys and the names of keys, or --secret"],
    ['input one --keys', "'input' needs a text, --keys and the names of keys, or --secret"],
    ['input one --keys a --no-submit', '--no-submit goes with a text: keys are all there is'],
    ['input one --secret x', '--secret stands alone: the secret is typed, and followed by Enter'],
    ['input one --secret --keys', '--secret stands alone: the secret is typed, and followed by Enter'],
    ['wait one --keys', "--keys goes with 'input' only"],
    ['output one --timeout 1', "--timeout goes with 'wait' only"],
    ['wait one --timeout 1m', '--timeout must be a number of seconds from 0 to 2147483 (got "1m")'],
    ['output one --offset -1', '--offset must be a number of bytes (got "-1")'],
    ['output one --offset 1e3', '--offset must be a number of bytes (got "1e3")'],
    ['output one --offset 99999999999999999', '--offset must be a number of bytes (got "99999999999999999")'],
  ])('`%s` is refused: %s', (words, message) => {
    expect(() => parseJobsCall(words.split(' '))).toThrow(new UsageError('bashward jobs', message))
  })
})
