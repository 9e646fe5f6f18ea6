// Reads what a call's shell has written: whole and untouched, or not at all.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrologue } from '../../../lib/commands/session/prologue.js'
import { readRecord } from '../../../lib/commands/session/read-record.js'
import { RecordFault } from '../../../lib/commands/session/reading.js'
import { freshState } from '../../../lib/commands/session/state.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { atOnce } from './at-once.js'
import { bashPath } from './real-shell.js'

afterAll(removeTempDirs)

const nonce = '0123456789abcdef01234567'
const secret = 'fedcba98765432100123abcd'
const marks = { nonce, secret }

/** What a real bash writes about itself. */
const recordOf = (command: string): string => {
  const dir = mkdtempSync(join(tempDir(), 'call-'))
  writeFileSync(join(dir, 'prologue'), buildPrologue(freshState, dir, marks), 'latin1')
  writeFileSync(join(dir, 'state'), '')
  spawnSync(
    bashPath,
    [
      '--norc',
      '-c',
      'exec 200<prologue 201<state; BASH_ENV=/dev/fd/200 exec "$2" --norc -c -- "$1"',
      'bash',
      command,
      bashPath,
    ],
    {
      cwd: dir,
      env: { PATH: process.env.PATH, GIVEN: 'host' },
      stdio: 'ignore',
    },
  )
  return readFileSync(join(dir, 'state'), 'latin1')
}

const read = (record: string) => atOnce(readRecord(record, marks, freshState))

const sample = recordOf(
  `a=1; declare -A m=([k]="v w"); f() { echo f; }; alias l=ls; shopt -s nullglob; set -f; unset GIVEN; cd /usr`,
)

test('a saved state holds what differs from a fresh shell, and nothing else', () => {
  expect(read(sample)).toEqual({
    kind: 'saved',
    directory: '/usr',
    dropped: [],
    state: {
      variables: new Map([
        ['OLDPWD', expect.stringMatching(/^declare -x OLDPWD='.*'\n$/)],
        ['a', `declare a='1'\n`],
        ['m', `declare -A m=(['k']='v w')\n`],
      ]),
      unsetVariables: new Set(['GIVEN']),
      functions: new Map([['f', { text: 'f () \n{ \n    echo f\n}\n', flags: 'f', isProven: false }]]),
      unsetFunctions: new Set(),
      aliases: new Map([['l', `builtin alias -- 'l'='ls'\n`]]),
      shopt: { on: ['nullglob'], off: [] },
      set: { on: ['noglob'], off: [] },
      umask: undefined,
      positional: [],
      directories: [],
    },
  })
})

test('a shell that changes nothing leaves nothing', () => {
  expect(read(recordOf(':'))).toMatchObject({ kind: 'saved', state: freshState })
})

test('of two saved states the later one counts', () => {
  const record = recordOf(`a=before; trap 'a=after' EXIT`)
  expect(record.split(`${secret} end\n`)).toHaveLength(3)
  expect(read(record)).toMatchObject({ state: { variables: new Map([['a', `declare a='after'\n`]]) } })
})

test('of two saved states the first counts when the later one is cut off', () => {
  const record = recordOf(`a=before; trap 'a=after' EXIT`)
  expect(read(record.slice(0, record.lastIndexOf('declare -- a=')))).toMatchObject({
    state: { variables: new Map([['a', `declare a='before'\n`]]) },
  })
})

test('a record without a saved state', () => {
  expect(read('')).toEqual({ kind: 'unread' })
  expect(read(recordOf('exec true'))).toEqual({ kind: 'none' })
})

test('cut off anywhere, it is not taken over', () => {
  for (let length = 1; length < sample.length; length += 7) {
    let kind = 'damaged'
    try {
      kind = read(sample.slice(0, length)).kind
    } catch (error) {
      expect(error).toBeInstanceOf(RecordFault)
    }
    expect(['damaged', 'unready', 'none']).toContain(kind)
  }
})

test('with a line of garbage anywhere outside a function or a directory, it is not taken over', () => {
  const lines = sample.split('\n')
  const inFunction = (index: number) =>
    lines.slice(0, index).lastIndexOf(`${secret} texts`) >
    lines.slice(0, index).lastIndexOf(`${secret} directory`)
  const inDirectory = (index: number) =>
    lines.slice(0, index).lastIndexOf(`${secret} directory`) >
    lines.slice(0, index).lastIndexOf(`${secret} definitions`)
  for (const index of lines.keys()) {
    if (inFunction(index) || inDirectory(index)) continue
    const spoilt = [...lines.slice(0, index), 'garbage', ...lines.slice(index)].join('\n')
    expect(() => read(spoilt)).toThrow(RecordFault)
  }
})

test('overwritten with random bytes anywhere, reading it never fails in an unforeseen way', () => {
  for (let at = 0; at < sample.length; at += 13) {
    const noise = String.fromCharCode(at % 256, (at * 7) % 256, 10, (at * 31) % 256)
    try {
      read(sample.slice(0, at) + noise + sample.slice(at + noise.length))
    } catch (error) {
      expect(error).toBeInstanceOf(RecordFault)
    }
  }
})

test.each([
  ['another nonce', (record: string) => record.replaceAll(nonce, 'f'.repeat(24))],
  ['another secret', (record: string) => record.replaceAll(secret, 'f'.repeat(24))],
  ['no secret', (record: string) => record.replaceAll(secret, nonce)],
  ['a second state', (record: string) => record + record.slice(record.indexOf(`${secret} state`))],
  ['a line behind its end', (record: string) => `${record}umask\n`],
  ['another format', (record: string) => record.replace('session-2', 'session-1')],
  ['no option list', (record: string) => record.replace(/^braceexpand.*$/m, 'x')],
  [
    'a function that is not listed',
    (record: string) => record.replace(`${secret} names\nf\n`, `${secret} names\n`),
  ],
  [
    'sections in another order',
    (record: string) => record.replace(`${secret} directory`, `${secret} definitions`),
  ],
  ['an unknown section', (record: string) => record.replace(`${secret} directory`, `${secret} other`)],
  ['an index that is code', (record: string) => record.replace('-A m=([k]="v w" )', '-a m=([k]="v w" )')],
])('with %s, it is not taken over', (_, spoil) => {
  expect(() => read(spoil(sample))).toThrow(RecordFault)
})

test('a directory that is not absolute is left out', () => {
  const record = sample.replace(`${secret} directory\n/usr\n`, `${secret} directory\n..\n`)
  expect(read(record)).toMatchObject({ kind: 'saved', directory: undefined })
})
