// The names of the protections, which the native side knows as bits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protections, protectionsOf } from '../../../lib/guard/sandbox/protections.js'
import { packageRoot } from '../../support/as-user.js'

test('are in the order of the bits of the control protocol', () => {
  const header = readFileSync(join(packageRoot, 'native/process/control_protocol.h'), 'utf8')
  const [, body = ''] = /enum Protection : uint32_t \{([^}]*)\}/.exec(header) ?? []
  const bits = [...body.matchAll(/k(\w+) = 1U << (\d+)/g)].map(([, name = '', bit]) => ({
    name: name.toLowerCase(),
    bit: Number(bit),
  }))

  expect(bits).toEqual(protections.map((name, bit) => ({ name: name.toLowerCase(), bit })))
})

test('come out of a set of bits, and unknown bits do not', () => {
  expect(protectionsOf(0)).toEqual([])
  expect(protectionsOf(0b1001)).toEqual(['filesystem', 'network'])
  expect(protectionsOf(-1)).toEqual([...protections])
})
