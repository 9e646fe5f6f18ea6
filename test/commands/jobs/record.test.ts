// job.json and exit.json: written in two parts, read without trust.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { jobPrefix } from '../../../lib/commands/jobs/plan.js'
import { readExit, readRecord } from '../../../lib/commands/jobs/record.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { descriptionOf, exitOf, recordText } from './job-files.js'

afterEach(removeTempDirs)

const id = 'bash_aaaaaa'
const supervisor = { pid: 41, startTime: 410 }
const leader = { pid: 42, startTime: 420 }

const fileWith = (text: string | Buffer): string => {
  const path = join(tempDir(), 'file.json')
  writeFileSync(path, text)
  return path
}

const recordWith = (changes: Record<string, unknown>): string =>
  fileWith(JSON.stringify({ ...JSON.parse(recordText(descriptionOf(id), supervisor, leader)), ...changes }))

const exitWith = (changes: Record<string, unknown>): string =>
  fileWith(JSON.stringify({ version: 1, ...exitOf(), ...changes }))

describe('jobPrefix', () => {
  test('is the beginning of an object, in a fixed order', () => {
    const description = descriptionOf(id, {
      createdAt: 1,
      bootId: 'b',
      pidNamespace: 7,
      conversationId: 'c',
      maxOutputBytes: 5,
    })

    expect(jobPrefix(description)).toBe(
      '{"version":1,"id":"bash_aaaaaa","command":"sleep 1","workingDir":"/tmp","conversationId":"c",' +
        '"toolCallId":null,"createdAt":1,"bootId":"b","pidNamespace":7,"timeoutMs":86400000,"maxOutputBytes":5,"adopted":false,',
    )
  })

  test('has the size of a terminal, where there is one', () => {
    expect(jobPrefix(descriptionOf(id, { terminal: { rows: 24, cols: 100 } }))).toMatch(
      /"adopted":false,"terminal":\{"rows":24,"cols":100\},$/,
    )
  })

  test('takes no more fields than it names', () => {
    const description = { ...descriptionOf(id), pid: 1, secret: 'x' }

    expect(jobPrefix(description)).not.toContain('secret')
    expect(jobPrefix(description)).not.toContain('"pid"')
  })

  test('is well-formed UTF-8 for any command', () => {
    for (const command of ['\ud800', 'a\udc00b', '"\\\n\0\u2028', '}'.repeat(10), '😀']) {
      const prefix = jobPrefix(descriptionOf(id, { command }))

      expect(Buffer.from(prefix).toString()).toBe(prefix)
    }
  })

  test('gives any command, directory and ids back', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(
        text,
        text,
        fc.option(text),
        fc.option(text),
        (command, workingDir, conversationId, toolCallId) => {
          const description = descriptionOf(id, { command, workingDir, conversationId, toolCallId })
          expect(JSON.parse(recordText(description, supervisor, leader))).toMatchObject(description)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('readRecord', () => {
  test('believes no terminal that nothing could draw', () => {
    const read = (terminal: unknown) => readRecord(recordWith({ terminal }))
    expect(read({ rows: 24, cols: 100 })?.value?.terminal).toEqual({ rows: 24, cols: 100 })
    expect(read({ rows: 99_999_999, cols: 501 })?.value?.terminal).toEqual({ rows: 200, cols: 500 })
    expect(read({ rows: 0, cols: 100 })?.problem).toMatch(/rows is not an integer/)
    expect(read('large')?.problem).toMatch(/terminal is not an object/)
  })

  test('gives what was written', () => {
    const description = descriptionOf(id, { command: 'echo "é"\n', conversationId: 'c', toolCallId: 't' })

    expect(readRecord(fileWith(recordText(description, supervisor, leader)))).toEqual({
      value: { ...description, pid: 42, pgid: 42, startTime: 420, supervisor },
    })
  })

  test('reads the record of an adopted job, whose shell has no start time', () => {
    const description = descriptionOf(id, { adopted: true })

    expect(
      readRecord(fileWith(recordText(description, supervisor, { pid: 42, startTime: 0 }))),
    ).toMatchObject({
      value: { adopted: true, startTime: 0 },
    })
  })

  test('does not mind unknown fields, nor another version', () => {
    expect(readRecord(recordWith({ version: 7, colour: 'red' }))).toMatchObject({ value: { id } })
  })

  test('reads a record as long as the longest command makes it', () => {
    const command = '\0'.repeat(4 * 1024 * 1024)
    const path = fileWith(recordText(descriptionOf(id, { command }), supervisor, leader))

    expect(readRecord(path)).toMatchObject({ value: { command } })
  })

  test('is undefined when there is none', () => {
    expect(readRecord(join(tempDir(), 'job.json'))).toBeUndefined()
  })

  test.each([
    ['id', 'x'],
    ['id', '../bash_aaaaaa'],
    ['command', undefined],
    ['command', 7],
    ['workingDir', null],
    ['conversationId', 7],
    ['conversationId', undefined],
    ['createdAt', -1],
    ['createdAt', 1.5],
    ['createdAt', 1e300],
    ['adopted', 'no'],
    ['pid', 0],
    ['pid', 1],
    ['pid', -42],
    ['pgid', 1],
    ['supervisor', null],
    ['supervisor', 7],
    ['supervisor', { pid: 1, startTime: 1 }],
    ['supervisor', { pid: 42 }],
    ['supervisor', { pid: 42, startTime: 0 }],
  ])('says what is wrong with %s %p', (field, value) => {
    const parsed = readRecord(recordWith({ [field]: value }))

    expect(parsed).toEqual({ problem: expect.stringMatching(/^\/.*file\.json: (id|\w+) is not /) })
  })

  test.each(['', '{', 'null', '7', '"x"', '[]', '\0\0\0\0', '{"version":1}'])(
    'says what is wrong with %j',
    (text) => {
      expect(readRecord(fileWith(text))).toEqual({ problem: expect.stringContaining('file.json: ') })
    },
  )

  test('says what is wrong with a record cut at any byte', () => {
    const text = recordText(descriptionOf(id), supervisor, leader)
    const path = fileWith(text)
    for (let length = text.length - 1; length >= 0; length -= 7) {
      truncateSync(path, length)

      expect(readRecord(path)).toHaveProperty('problem')
    }
  })

  test('says what is wrong with a file of 33 MiB, without reading it', () => {
    const path = fileWith('')
    truncateSync(path, 33 * 1024 * 1024)

    expect(readRecord(path)).toEqual({ problem: expect.stringContaining('larger than 33554432 bytes') })
  })

  test('does not follow a link', () => {
    const target = fileWith(recordText(descriptionOf(id), supervisor, leader))
    symlinkSync(target, `${target}.link`)

    expect(readRecord(`${target}.link`)).toEqual({ problem: expect.stringContaining('ELOOP') })
  })

  test('does not wait for the writer of a FIFO', () => {
    const path = join(tempDir(), 'fifo')
    expect(spawnSync('mkfifo', [path]).status).toBe(0)

    expect(readRecord(path)).toEqual({ problem: expect.stringContaining('not a regular file') })
  })

  test('says what is wrong with a directory', () => {
    const path = join(tempDir(), 'directory')
    mkdirSync(path)

    expect(readRecord(path)).toEqual({ problem: expect.stringContaining('not a regular file') })
  })
})

describe('readExit', () => {
  test('gives what was written', () => {
    const exit = exitOf({ status: 'failed', exitCode: 7, outputBytes: 12, lostBytes: 3, lostErrno: 28 })

    expect(readExit(exitWith({ ...exit }))).toEqual({ value: exit })
  })

  test.each(['completed', 'failed', 'killed', 'timed_out'])('knows the status %s', (status) => {
    expect(readExit(exitWith({ status }))).toMatchObject({ value: { status } })
  })

  test.each([
    ['status', 'running'],
    ['status', undefined],
    ['exitCode', '0'],
    ['exitCode', undefined],
    ['signal', 9],
    ['endedAt', null],
    ['outputBytes', -1],
    ['droppedBytes', '1'],
    ['statusLineBytes', undefined],
  ])('says what is wrong with %s %p', (field, value) => {
    expect(readExit(exitWith({ [field]: value }))).toEqual({
      problem: expect.stringContaining(`${field} is not `),
    })
  })

  test('is undefined when there is none', () => {
    expect(readExit(join(tempDir(), 'exit.json'))).toBeUndefined()
  })
})
