// A state that an allowed command has left, or that something has written in its place: what the session takes over.
import type { KeptState } from '../../../lib/commands/session/session-mode.js'
import { freshState, type ShellState } from '../../../lib/commands/session/state.js'
import { examine } from '../../../lib/guard/verdicts/judge-text.js'
import { noPolicy } from '../../../lib/guard/verdicts/policy/policy.js'
import { selectionFor } from '../../../lib/tools/verdicts/left-state.js'

const isReading = async (definition: string) => {
  const options = { workingDir: '/', home: '/', default: 'ask', policy: noPolicy } as const
  const { isReading, readsRepository } = await examine(definition, options)
  return isReading && !readsRepository
}

const before: KeptState = {
  directory: '/before',
  shell: { ...freshState, variables: new Map([['kept', "declare kept='1'\n"]]), umask: '0027' },
}

const select = async (text: string, left: Partial<ShellState>, directory = '/before') =>
  await selectionFor(text, isReading)(before, { directory, shell: { ...before.shell, ...left } })

const variables = (...added: [string, string][]) => ({
  variables: new Map([...before.shell.variables, ...added]),
})
const functions = (name: string, text: string, flags = 'f') => ({
  functions: new Map([[name, { text, flags, isProven: false }]]),
})

describe('what the text names is taken over', () => {
  test.each<[string, Partial<ShellState>]>([
    ['x=1', variables(['x', "declare x='1'\n"])],
    ["eval 'x=2'", variables(['x', "declare x='2'\n"])],
    ['LC_ALL=C; ls', variables(['LC_ALL', "declare -x LC_ALL='C'\n"])],
    ['cd /; read -r a b', variables(['a', "declare a='1'\n"], ['OLDPWD', "declare -x OLDPWD='/'\n"])],
    ['read <<< a', variables(['REPLY', "declare REPLY='a'\n"])],
    ['mapfile <<< a', variables(['MAPFILE', "declare -a MAPFILE=('a\n')\n"])],
    ['getopts a: x', variables(['OPTARG', "declare OPTARG='a'\n"])],
    ['unset kept', { variables: new Map() }],
    ['f() { ls; }', functions('f', 'f () \n{ \n    ls\n}\n')],
    ['set -o pipefail', { set: { on: ['pipefail'], off: [] } }],
    ['shopt -s nullglob', { shopt: { on: ['nullglob'], off: [] } }],
    ['set -- a', { positional: ['a'] }],
    ['pushd /usr', { directories: ['/before'] }],
  ])('%s', async (text, left) => {
    expect(await select(text, left)).toEqual({ ...before, shell: { ...before.shell, ...left }, dropped: [] })
  })

  test('the directory', async () => {
    expect(await select('c""d /usr', {}, '/usr')).toMatchObject({ directory: '/usr', dropped: [] })
  })
})

describe('what it does not name, or may not change, is as it was, and is named', () => {
  type Row = [what: string, text: string, left: Partial<ShellState>]
  test.each<Row>([
    ['the umask', 'x=1', { umask: '0000' }],
    ['the umask', 'umask; x=1', { umask: undefined }],
    ['the positional parameters', 'x=1', { positional: ['forged'] }],
    ['the stack of directories', 'cd /', { directories: ['/etc'] }],
    ['aliases', 'alias; x=1', { aliases: new Map([['ls', "builtin alias -- 'ls'='rm'\n"]]) }],
    ['options', 'x=1', { shopt: { on: ['nullglob'], off: [] } }],
    ['options', 'x=extglob', { shopt: { on: ['extglob'], off: [] } }],
    ['options', 'x=posix', { set: { on: ['posix'], off: [] } }],
    ['variable y', 'xy=1', variables(['y', "declare y='1'\n"])],
    ['variable PATH', 'x=PATH', variables(['PATH', "declare -x PATH='/evil'\n"])],
    ['variable LC_ALL', 'LC_ALL=C', variables(['LC_ALL', "declare LC_ALL='ja_JP.SJIS'\n"])],
    [
      'variable LD_PRELOAD',
      'echo LD_PRELOAD',
      variables(['LD_PRELOAD', "declare -x LD_PRELOAD='/evil.so'\n"]),
    ],
    ['variable x', 'x=1', variables(['x', "declare x='1'\ndeclare -i x\n"])],
    ['variable x', 'x=1', variables(['x', "declare -n x='PATH'\n"])],
    ['variable x', 'x=1', variables(['x', "builtin unset -v x && declare -ai x && x=('\x01')\n"])],
    ...['OLDPWD', 'OPTARG', 'REPLY', 'MAPFILE', 'PWD', 'OPTIND', 'BASH_REMATCH'].map(
      (name): Row => [`variable ${name}`, 'x=1', variables([name, `declare ${name}='forged'\n`])],
    ),
    ...[
      ['OLDPWD', 'cd /'],
      ['REPLY', 'read <<< a'],
      ['MAPFILE', 'mapfile <<< a'],
      ['OPTARG', 'getopts a: x'],
    ].flatMap(([name = '', text = '']): Row[] => [
      [`variable ${name}`, text, variables([name, `declare -n ${name}='PATH'\n`])],
      [`variable ${name}`, text, variables([name, `declare ${name}='1'\ndeclare -i ${name}\n`])],
    ]),
    ['variable PATH', 'x=PATH', { unsetVariables: new Set(['PATH']) }],
    ['functions', 'x=1', functions('ls', 'ls () \n{ \n    :\n}\n')],
    ['functions', 'f() { ls; }', functions('f', 'f () \n{ \n    rm file\n}\n')],
    ['functions', 'f() { ls; }', functions('f', 'f () \n{ \n    ls\n}\ntouch file\n')],
    ['functions', 'f() { ls; }', functions('f', 'f () \n{ \n    ls\n}\n', 'fx')],
    ['functions', 'f() { ls; }', functions('f', 'f () \n{ \n    git status\n}\n')],
    ['functions', 'x=1', { unsetFunctions: new Set(['module']) }],
  ])('%s after %s', async (what, text, left) => {
    expect(await select(text, left)).toEqual({ ...before, dropped: [what] })
  })

  test('the directory', async () => {
    expect(await select('x=cdrom', {}, '/usr')).toEqual({ ...before, dropped: ['the directory'] })
  })

  test('all else is taken over', async () => {
    const left = { ...variables(['x', "declare x='1'\n"]), umask: '0000' }
    expect(await select('x=1', left)).toEqual({
      directory: '/before',
      shell: { ...before.shell, ...variables(['x', "declare x='1'\n"]) },
      dropped: ['the umask'],
    })
  })
})

test('a variable that another sandbox has from the host stays what it is in the session', async () => {
  expect(await select('x=1', { variables: new Map() })).toEqual({ ...before, dropped: [] })
})
