// A record that something has written into: it is refused, or it is made of definitions alone. And the next call works.
import fc from 'fast-check'
import { BashError } from '../../../lib/base/errors.js'
import { readRecord, type SessionRecord } from '../../../lib/commands/session/read-record.js'
import { RecordFault } from '../../../lib/commands/session/reading.js'
import { functionStatement } from '../../../lib/commands/session/restore.js'
import type { CallMarks } from '../../../lib/commands/session/shell-code.js'
import { freshState, type ShellState } from '../../../lib/commands/session/state.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { atOnce } from './at-once.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const marksOf = (record: string): CallMarks => ({
  nonce: /^bashward-session-2 ([0-9a-f]{24})\n/.exec(record)?.[1] ?? '',
  secret: /^([0-9a-f]{24}) state\n/m.exec(record)?.[1] ?? '-',
})

/** What a real bash has written, with something of every kind in it. */
const sampleRecord = async (): Promise<string> => {
  let record = ''
  const tamper = (state: Buffer) => {
    record = state.toString('latin1')
    return state
  }
  const command = [
    `a=1; export b=$'x\\ny'; c=(x 'y z'); declare -A d=([k]=v ["a b"]="'"); declare -i e=7; declare -n g=a`,
    'f() { :; }; alias l=ls; shopt -s nullglob; set -f; unset GIVEN; cd /usr',
  ].join('\n')
  await new ShellSession().run(command, { env: { GIVEN: 'host' }, tamper })
  return record
}

type Damage = (record: string) => string

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const noise = fc.oneof(
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '\n',
    '"',
    "'",
    '$(x)',
    '`x`',
    '\\',
    ')',
    '\xff',
    'declare -- z="1"\n',
    'declare -f z\n',
    "alias z='1'\n",
  ),
)

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(at, fc.nat(7)).map(
    ([place, bit]): Damage =>
      (record) => {
        const index = Math.floor(place * record.length)
        const flipped = String.fromCharCode(record.charCodeAt(index) ^ (1 << bit))
        return record.slice(0, index) + flipped + record.slice(index + 1)
      },
  ),
  fc.tuple(at, noise, fc.boolean()).map(
    ([place, noise, isInserted]): Damage =>
      (record) => {
        const index = Math.floor(place * record.length)
        return record.slice(0, index) + noise + record.slice(index + (isInserted ? 0 : noise.length))
      },
  ),
  at.map(
    (place): Damage =>
      (record) =>
        record.slice(0, Math.floor(place * record.length)),
  ),
  fc.tuple(at, at, at, fc.constantFrom('left out', 'repeated', 'moved')).map(
    ([from, to, target, how]): Damage =>
      (record) => {
        const lines = record.split('\n')
        const [start = 0, end = 0] = [from, to]
          .map((place) => Math.floor(place * lines.length))
          .sort((x, y) => x - y)
        const taken = how === 'repeated' ? lines.slice(start, end) : lines.splice(start, end - start)
        if (how !== 'left out') lines.splice(Math.floor(target * lines.length), 0, ...taken)
        return lines.join('\n')
      },
  ),
)

const quoted = `(?:'[^']*'|\\\\')+`
const element = `(?:\\[(?:\\d+|${quoted})\\]=)?${quoted}`
const value = `(?:${quoted}|\\((?:${element}(?: ${element})*)?\\))`
const name = '[A-Za-z_][A-Za-z0-9_]*'
/** All that restoring may consist of: nothing in it is expanded. */
const statements = {
  variables: new RegExp(
    `^declare (?:-[aAnilucxt]+ )?${name}(?:=${value})?\\n(?:declare -[iluc]+ ${name}\\n)?$`,
  ),
  functions: new RegExp(`^builtin eval -- ${quoted} \\|\\| :\\n(?:builtin declare -f[tx]+ ${quoted}\\n)?$`),
  aliases: new RegExp(`^builtin alias -- ${quoted}=${quoted}\\n$`),
}

const expectInert = (state: ShellState): void => {
  for (const kind of ['variables', 'aliases'] as const) {
    for (const statement of state[kind].values()) expect(statement).toMatch(statements[kind])
  }
  for (const [name, definition] of state.functions) {
    expect(functionStatement(name, definition, ':')).toMatch(statements.functions)
  }
  expect(state.umask ?? '0').toMatch(/^[0-7]+$/)
  for (const unset of state.unsetVariables) expect(unset).toMatch(new RegExp(`^${name}$`))
  for (const { on, off } of [state.set, state.shopt]) {
    for (const option of [...on, ...off]) expect(option).toMatch(/^[a-z0-9_-]+$/)
  }
}

/** Undefined when it is refused. */
const read = (record: string, marks: CallMarks): SessionRecord | undefined => {
  try {
    return atOnce(readRecord(record, marks, freshState))
  } catch (error) {
    expect(error).toBeInstanceOf(RecordFault)
    return undefined
  }
}

const expectRefusedOrInert = (record: string, marks: CallMarks): void => {
  const result = read(record, marks)
  if (result?.kind !== 'saved') return
  expectInert(result.state)
  expect(result.directory ?? '/').toMatch(/^\//)
}

test('undamaged, it is made of definitions alone', async () => {
  const record = await sampleRecord()
  const result = read(record, marksOf(record))

  expect(result).toMatchObject({ kind: 'saved', directory: '/usr' })
  expectRefusedOrInert(record, marksOf(record))
})

test('damaged anywhere and in any way, it is refused or made of definitions alone', async () => {
  const record = await sampleRecord()
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
      expectRefusedOrInert(
        damages.reduce((text, damage) => damage(text), record),
        marksOf(record),
      )
    }),
    { numRuns: 2000 },
  )
})

test('cut off anywhere, it is refused', async () => {
  const record = await sampleRecord()
  fc.assert(
    fc.property(fc.integer({ min: 1, max: record.length - 1 }), (length) => {
      expect(read(record.slice(0, length), marksOf(record))?.kind ?? 'none').toMatch(/^(none|unready)$/)
    }),
    { numRuns: 500 },
  )
})

test('any other bytes are refused, whatever comes before and between them', () => {
  const marks = { nonce: '0123456789abcdef01234567', secret: 'fedcba98765432100123abcd' }
  const { nonce, secret } = marks
  const piece = fc.oneof(
    noise,
    fc
      .constantFrom(
        'ready',
        'state',
        'umask',
        'functions',
        'directory',
        'definitions',
        'end',
        'lost',
        'old 4',
      )
      .map((section) => `\n${section === 'ready' ? nonce : secret} ${section}\n`),
    fc.constantFrom(
      'braceexpand:hashall cmdhist\n',
      'declare -x A="1"\n',
      '/usr\n',
      'declare -a a=([0]="x")\n',
    ),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('', `bashward-session-2 ${nonce}\n`),
      fc.array(piece, { maxLength: 12 }),
      (header, pieces) => {
        expectRefusedOrInert(header + pieces.join(''), marks)
      },
    ),
    { numRuns: 2000 },
  )
})

test('the next call works, and finds all or nothing of what a refused record holds', async () => {
  const property = fc.asyncProperty(damage, async (damage) => {
    const shell = new ShellSession({ workingDir: '/' })
    await shell.output('first=before; second=before; third=before')
    const { unsaved } = await shell.run('first=after; second=after; third=after', {
      tamper: (state) => Buffer.from(damage(state.toString('latin1')), 'latin1'),
    })
    const next = await shell.run('echo next; echo "$first $second $third"').catch((error: unknown) => error)

    // The name of the directory may be what was damaged.
    if (BashError.isInstance(next)) expect(next.code).toBe('ERR_WORKING_DIR')
    else
      expect(next).toMatchObject({ stdout: expect.stringMatching(/^next\n/), stderr: '', unsaved: undefined })
    if (unsaved !== undefined) expect(next).toMatchObject({ stdout: 'next\nbefore before before\n' })
  })
  await fc.assert(property, { numRuns: 30 })
})
