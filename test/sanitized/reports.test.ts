// Which reports of the sanitizers count.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { ours, takeReports } from './reports.mjs'

afterEach(removeTempDirs)

const leak = (module: string, kind = 'Direct') =>
  `${kind} leak of 64 byte(s) in 1 object(s) allocated from:\n    #0 0x7f in malloc  (/lib/libasan.so.8+0xb9)\n` +
  `    #1 0x7f in f  (${module}+0xc5)`

const leaks = (...blocks: string[]) =>
  `\n${'='.repeat(65)}\n==15==ERROR: LeakSanitizer: detected memory leaks\n\n${blocks.join('\n\n')}\n\n` +
  'SUMMARY: AddressSanitizer: 64 byte(s) leaked in 1 allocation(s).\n'

test('a report of anything but leaks counts', () => {
  const text =
    '==15==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n    #0 0x7f in f (/usr/bin/node+0x1)'
  expect(ours(text)).toBe(text)
})

test('that leaks could not be looked for counts', () => {
  expect(ours('==15==LeakSanitizer has encountered a fatal error.\n')).not.toBe('')
})

test('a warning of an unknown stack does not, without an error behind it', () => {
  const warning =
    '==15==WARNING: ASan is ignoring requested __asan_handle_no_return: stack type: default top: 0x7f; size: 0x29\n' +
    'False positive error reports may follow\nFor details see https://github.com/google/sanitizers/issues/189\n'
  expect(ours(warning)).toBe('')
  expect(ours(`${warning}==15==ERROR: AddressSanitizer: stack-overflow\n`)).toContain('stack-overflow')
})

test('leaks of Node and of other addons do not', () => {
  expect(ours(leaks(leak('/usr/bin/node'), leak('/x/swc.linux-x64-gnu.node')))).toBe('')
})

test.each(['Direct', 'Indirect'])('among them a leak of ours does: %s', (kind) => {
  const one = leak('/tmp/x/build/Release/bashward.node', kind)
  expect(ours(leaks(leak('/usr/bin/node'), one, leak('/usr/bin/node', 'Indirect')))).toBe(one)
})

test('the files are read once', () => {
  const directory = tempDir()
  writeFileSync(join(directory, 'asan.15'), 'a report')
  writeFileSync(join(directory, 'asan.16'), leaks(leak('/usr/bin/node')))

  expect(takeReports(directory)).toEqual([{ name: 'asan.15', text: 'a report' }])
  expect(readdirSync(directory)).toEqual([])
})
