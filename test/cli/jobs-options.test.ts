import { UsageError } from '../../lib/cli/command-line.js'
import { parseJobsCall } from '../../lib/cli/jobs-options.js'

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
      "unknown word 'frobnicate': must be one of list, output, wait, explain, watch, kill, clean",
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
    ['output one --offset -1', '--offset must be a number of bytes (got "-1")'],
    ['output one --offset 1e3', '--offset must be a number of bytes (got "1e3")'],
    ['output one --offset 99999999999999999', '--offset must be a number of bytes (got "99999999999999999")'],
  ])('`%s` is refused: %s', (words, message) => {
    expect(() => parseJobsCall(words.split(' '))).toThrow(new UsageError('bashward jobs', message))
  })
})
