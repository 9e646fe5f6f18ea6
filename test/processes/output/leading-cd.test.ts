// A `cd` that is not shown, as bash understands it.
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import fc from 'fast-check'
import { simplifyCommand } from '../../../lib/processes/output/simplify-command.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

describe('as bash understands it', () => {
  const root = realpathSync(tempDir())
  const cd = (argument: string): string => `cd() { printf '%s\\0' "$#" "$@"; return 1; }\n${argument}`

  /** What `cd` is called with first; undefined when bash refuses the text. */
  const firstCd = (command: string): string[] | undefined => {
    const options = { cwd: root, env: { PATH: '/nowhere', HOME: '/no-such' }, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-c', cd(command)], options)
    if (stdout === '' && /syntax error|unexpected EOF/.test(stderr)) return undefined
    const [count = '', ...words] = stdout.split('\0')
    return words.slice(0, Number(count))
  }

  const words = fc
    .array(
      fc.constantFrom('/', '/.', '//', 'x/..', '"', "'", '\\', '$PWD', '"$PWD"', '\\\n', '~', 'x', '"\\', ''),
      { maxLength: 3 },
    )
    .map((parts) => `${root}${parts.join('')}`)
  const blanks = fc.constantFrom('', ' ', '\t', '\\\n', ' \\\n', '\n', '#', ' "" ', ' x ', '>x ')
  const options = fc.constantFrom('', '', '-- ', '-L ', '-L -- ', '-P ', '"--"\t', '-LL\\\n ', '--')
  const separators = fc.constantFrom('&&', ';', ';;', '||', '&', '\n', '&&\n', '; #\n', '&& \\\n')
  const commands = fc.tuple(blanks, blanks, options, words, blanks, separators, blanks).map((parts) => {
    const [lead, gap, option, word, space, separator, end] = parts
    return `${lead}cd ${gap}${option}${word}${space}${separator}${end}: rest`
  })

  test('a cd that is left out goes to the working directory, and has no option that matters', () => {
    let seen = 0
    fc.assert(
      fc.property(commands, (command) => {
        const display = simplifyCommand(command, root, '/no-such')
        if (display === command) return
        const called = firstCd(command)
        if (called === undefined) return
        seen += 1
        const directory = called.pop()
        expect(called.join(' ')).toMatch(/^(?:-L+ ?)*(?:--)?$/)
        expect(simplifyCommand(`cd '${directory}' && x`, root)).toBe('x')
      }),
      { numRuns: 1000 },
    )
    expect(seen).toBeGreaterThan(0)
  })
})
