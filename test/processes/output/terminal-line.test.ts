import fc from 'fast-check'
import { type Erase, TerminalLine } from '../../../lib/processes/output/terminal-line.js'

type Operation =
  | { name: 'print'; text: string }
  | { name: 'carriageReturn' }
  | { name: 'backspace' }
  | { name: 'moveBy'; columns: number }
  | { name: 'moveTo'; column: number }
  | { name: 'erase'; part: Erase }

function apply(line: TerminalLine, operation: Operation): void {
  if (operation.name === 'print') line.print(operation.text)
  else if (operation.name === 'moveBy') line.moveBy(operation.columns)
  else if (operation.name === 'moveTo') line.moveTo(operation.column)
  else if (operation.name === 'erase') line.erase(operation.part)
  else line[operation.name]()
}

/** The same operations on an array, as simple as it can be. Erased cells at the end are not content. */
function expectedLine(operations: Operation[]): string {
  let cells: string[] = []
  let column = 0
  for (const operation of operations) {
    if (operation.name === 'print') {
      for (const character of operation.text) {
        while (cells.length < column) cells.push(' ')
        cells[column++] = character
      }
    } else if (operation.name === 'carriageReturn') column = 0
    else if (operation.name === 'backspace') column = Math.max(0, column - 1)
    else if (operation.name === 'erase') {
      if (operation.part === 'right') cells = cells.slice(0, column)
      else if (operation.part === 'all' || column >= cells.length) cells = []
      else cells.fill(' ', 0, column + 1)
    } else {
      const target = operation.name === 'moveTo' ? operation.column : column + operation.columns
      column = Math.max(0, Math.min(target, Math.max(column, 255)))
    }
  }
  return cells.join('')
}

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    name: fc.constant('print' as const),
    text: fc.string({ unit: fc.constantFrom('a', 'é', '😀', '世') }),
  }),
  fc.record({ name: fc.constant('carriageReturn' as const) }),
  fc.record({ name: fc.constant('backspace' as const) }),
  fc.record({ name: fc.constant('moveBy' as const), columns: fc.integer({ min: -20, max: 20 }) }),
  fc.record({ name: fc.constant('moveTo' as const), column: fc.oneof(fc.nat(20), fc.nat(400)) }),
  fc.record({
    name: fc.constant('erase' as const),
    part: fc.constantFrom('right' as const, 'left' as const, 'all' as const),
  }),
)

function rendered(...operations: Operation[]): string {
  const line = new TerminalLine()
  for (const each of operations) apply(line, each)
  return line.take()
}

const print = (text: string): Operation => ({ name: 'print', text })
const carriageReturn: Operation = { name: 'carriageReturn' }

describe('TerminalLine', () => {
  it('does what the same operations do on an array of characters', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        expect(rendered(...operations)).toBe(expectedLine(operations))
      }),
      { numRuns: 3000 },
    )
  })

  it('is empty and usable again after its content was taken', () => {
    const line = new TerminalLine()
    line.print('first')
    line.carriageReturn()
    line.print('F')
    expect(line.take()).toBe('First')
    expect(line.isEmpty).toBe(true)
    line.print('second')
    expect(line.isEmpty).toBe(false)
    expect(line.take()).toBe('second')
  })

  it('keeps tabs that nothing overwrites', () => {
    expect(rendered(print('a\tb\tc'), carriageReturn, print('A'))).toBe('A\tb\tc')
  })

  it('shows a partly overwritten tab as the spaces it covered', () => {
    expect(rendered(print('a\tb'), carriageReturn, print('xyz'))).toBe('xyz     b')
  })

  it('moves over existing text with a tab', () => {
    expect(rendered(print('0123456789'), carriageReturn, print('\tX'))).toBe('01234567X9')
    expect(rendered(print('abc'), carriageReturn, print('\tX'))).toBe('abc     X')
  })

  it('shows the rest of a tab as spaces when its end is erased', () => {
    const erased = rendered(print('a\tb'), { name: 'moveTo', column: 4 }, { name: 'erase', part: 'right' })
    expect(erased).toBe('a   ')
  })

  it('shows the rest of a tab as spaces when its beginning is erased', () => {
    const erased = rendered(print('a\tb'), { name: 'moveTo', column: 4 }, { name: 'erase', part: 'left' })
    expect(erased).toBe('        b')
  })

  it('keeps lone surrogates', () => {
    expect(rendered(print('a\ud83d'), carriageReturn, print('b'))).toBe('b\ud83d')
  })
})
