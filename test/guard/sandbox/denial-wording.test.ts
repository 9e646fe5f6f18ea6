// Refusals that a few programs put into words of their own.
import { probableCause } from './probable-cause.js'

const files = 'files are read-only in Restricted mode'
const privileges = 'no privileges can be gained in Restricted mode'

test.each<[command: string, exitCode: number, output: string, cause: string]>([
  [
    "printf 'all:;true' | make -f -",
    2,
    'make: *** fopen (temporary file): Permission denied.  Stop.\n',
    files,
  ],
  ["printf 'all:;true' | make -f -", 2, 'make: fopen (temporary file): Permission denied\n', files],
  ['openssl genrsa -out k.pem 512; true', 0, 'Can\'t open "k.pem" for writing, Permission denied\n', files],
  ['nice -n -5 true', 0, 'nice: cannot set niceness: Permission denied\n', privileges],
])('%s', (command, exitCode, output, cause) => {
  expect(probableCause(output, exitCode, command)).toBe(cause)
})

test('make that cannot execute a program has met no refusal', () => {
  expect(probableCause('make: ./f: Permission denied\n', 2, 'make')).toBeUndefined()
})
