// $'…', compared with bash.
import { spawnSync } from 'node:child_process'
import { decodeAnsiC } from '../../../../lib/guard/safety/script/escapes.js'

const texts = [
  'plain',
  'a\\nb\\tc\\rd\\ae\\bf\\eg\\Eh\\fi\\vj',
  '\\\\ \\\' \\" \\?',
  '\\x41\\x7a\\x4',
  '\\101\\0601\\7',
  '\\u41\\u00e9\\u20ac\\U1F600\\U0001F600',
  '\\cA\\c[\\ca',
  '\\z\\8\\x\\u',
  'a\\0b',
  'a\\x00b',
  'a\\\nb',
  '\\x{41}',
]

test.each(texts)('%j', (text) => {
  const bash = spawnSync('bash', ['--norc', '-c', `printf %s $'${text}'`], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  expect(decodeAnsiC(text)).toBe(bash.stdout.toString())
})
