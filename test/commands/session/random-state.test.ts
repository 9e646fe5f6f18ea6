// Whatever state a call leaves, the next one finds it as bash itself printed it.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { BashSession } from '../../../lib/commands/session/bash-session.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

/** A word of bash for these bytes: a command is text, but the bytes need not be. */
const word = (bytes: Uint8Array) =>
  `$'${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`

const byte = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 255 }) },
  { weight: 1, arbitrary: fc.constantFrom(...Buffer.from(`'"\\\`$!*[](){} \n\t\r~#=;&|<>@\x01\x7f`)) },
)
const bytes = fc.oneof(
  fc.array(byte, { maxLength: 12 }).map((all) => word(Uint8Array.from(all))),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => word(Buffer.from(text.replaceAll('\0', '')))),
  fc.constantFrom(`$'$(echo no)'`, `'declare -- other="1"'`, `$'\\n0123456789abcdef end\\n'`, `'-n'`),
)
const name = (prefix: string) => fc.stringMatching(/^[A-Za-z0-9_]{0,8}$/).map((rest) => `${prefix}_${rest}`)

const list = (element: fc.Arbitrary<string>) =>
  fc.array(element, { maxLength: 4 }).map((all) => all.join(' '))
const sparse = fc.tuple(fc.nat(1_000_000), bytes).map(([index, value]) => `[${index}]=${value}`)
const keyed = fc
  .tuple(fc.array(byte, { minLength: 1, maxLength: 6 }), bytes)
  .map(([key, value]) => `[${word(Uint8Array.from(key))}]=${value}`)

/** Of each a statement, in which NAME stands for the name. */
const variable = fc.oneof(
  bytes.map((value) => `NAME=${value}`),
  bytes.map((value) => `export NAME=${value}`),
  fc
    .tuple(fc.constantFrom('l', 'u', 't', 'xl'), bytes)
    .map(([flags, value]) => `declare -${flags} NAME=${value}`),
  fc.integer().map((value) => `declare -i NAME=${value}`),
  list(bytes).map((values) => `NAME=(${values})`),
  list(sparse).map((values) => `declare -ax NAME=(${values})`),
  list(keyed).map((values) => `declare -A NAME=(${values})`),
  fc.constantFrom('declare -x NAME', 'declare -a NAME', 'declare -A NAME', 'declare -n NAME=other_target'),
)

const body = fc.oneof(
  bytes.map((value) => `echo ${value} "\${1-}"`),
  bytes.map((value) => `case $1 in ${value}) echo a;; *) return 1;; esac`),
  bytes.map((value) => `local x=${value} && [[ $x == a* ]] || (( x + 1 )) 2>&1`),
  fc.constantFrom(
    'cat <<E\n a $b\nE',
    "cat <<-'E' | sort >/dev/null\n\ta $b\n\tE",
    'for ((i = 0; i < 3; i++)); do : "${x[@]}"; done',
    'inner() { echo "$@"; }; inner "$(inner a)"',
    'while read -r a; do echo "$a"; done < <(echo b) &',
    'if ! true; then :; elif [ a ]; then select x in a; do break; done; fi',
  ),
)

const options = fc.record({
  set: fc.subarray([
    'noglob',
    'noclobber',
    'allexport',
    'notify',
    'physical',
    'posix',
    'keyword',
    'functrace',
  ]),
  shopt: fc.subarray(['extglob', 'nullglob', 'dotglob', 'globstar', 'nocasematch', 'xpg_echo', 'lastpipe']),
  unset: fc.subarray(['braceexpand', 'hashall']),
})

const directory = fc
  .array(
    byte.filter((value) => value !== 0x2f),
    { minLength: 1, maxLength: 20 },
  )
  .filter((all) => !/^\.\.?$/.test(String.fromCharCode(...all)))
  .map((all) => word(Uint8Array.from(all)))

const state = fc.record({
  variables: fc.uniqueArray(fc.tuple(name('v'), variable), { maxLength: 8, selector: ([name]) => name }),
  functions: fc.uniqueArray(fc.tuple(name('f'), body), { maxLength: 4, selector: ([name]) => name }),
  aliases: fc.uniqueArray(fc.tuple(name('a'), bytes), { maxLength: 3, selector: ([name]) => name }),
  options,
  directory,
})

/** The statements that make a state. Options come last, as they change how the rest is read. */
const statements = ({
  variables,
  functions,
  aliases,
  options,
  directory,
}: typeof state extends fc.Arbitrary<infer State> ? State : never) =>
  [
    // Not by its bare name: `cd -- -` goes to OLDPWD.
    `mkdir ./${directory} && cd ./${directory}`,
    ...variables.map(([name, statement]) => statement.replaceAll('NAME', name)),
    ...functions.map(([name, body]) => `${name}() {\n${body}\n}`),
    ...aliases.map(([name, value]) => `alias ${name}=${value}`),
    ...options.shopt.map((option) => `shopt -s ${option}`),
    ...options.set.map((option) => `set -o ${option}`),
    ...options.unset.map((option) => `set +o ${option}`),
  ].join('\n')

const key = randomBytes(32)

test('variables, functions, aliases, options and directory come back as they were, also from a snapshot', async () => {
  const property = fc.asyncProperty(state, async (state) => {
    const shell = new ShellSession({ workingDir: tempDir() })
    const names = (of: [string, string][]) => of.map(([name]) => name).join(' ')
    const print = [
      `declare -p other_target ${names(state.variables)} 2>&-`,
      ...(state.functions.length > 0 ? [`declare -f ${names(state.functions)}`] : []),
      'alias -p; shopt -p; set -o; pwd; printf "%s\\n" "$PWD"',
    ].join('\n')
    const before = await shell.run(`${statements(state)}\n${print}`)
    const after = await shell.run(print)
    const { data } = await shell.session.snapshot({ key })
    const restored = new ShellSession(await BashSession.restore(data, { key }))
    const atLast = await restored.run(print)

    expect([before.unsaved, after.unsaved, atLast.unsaved]).toEqual([undefined, undefined, undefined])
    expect(after.bytes.toString('latin1')).toBe(before.bytes.toString('latin1'))
    expect(atLast.bytes.toString('latin1')).toBe(before.bytes.toString('latin1'))
  })
  await fc.assert(property, { numRuns: 40 })
})
