// Aliases, and the options of shopt and set, that live on from call to call.
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

describe('aliases', () => {
  test.each([
    ['simple', `alias a='echo x'`, `alias a='echo x'\n`],
    ['with quotes', `alias a="it's \\"quoted\\""`, `alias a='it'\\''s "quoted"'\n`],
    ['of a quote alone', `alias a=\\'`, `alias a=\\'\n`],
    ['with newlines', `alias a=$'x\\ny'`, `alias a='x\ny'\n`],
    ['with unusual names', `alias -- -a=x ..=y a+b=z`, `alias -- -a='x'\nalias ..='y'\nalias a+b='z'\n`],
  ])('%s', async (_, set, expected) => {
    const shell = new ShellSession()
    await shell.output(set)
    expect(await shell.output('alias -p')).toBe(expected)
  })

  test('are expanded when the session has asked for it', async () => {
    const shell = new ShellSession()
    await shell.output(`alias greet='echo hello'`)
    expect((await shell.run('greet')).exitCode).toBe(127)
    await shell.output('shopt -s expand_aliases')
    expect(await shell.output('greet')).toBe('hello\n')
  })

  test('removed stay removed', async () => {
    const shell = new ShellSession()
    await shell.output('alias a=x b=y')
    await shell.output('unalias a')
    expect(await shell.output('alias')).toBe(`alias b='y'\n`)
  })

  test('of the words that the session itself uses harm nothing', async () => {
    const shell = new ShellSession()
    const words =
      'builtin declare printf unset mapfile set trap return exec eval : shopt alias pwd compgen local'
    const aliases = words.split(' ').map((word) => `alias ${word}='echo aliased'`)
    await shell.output(`shopt -s expand_aliases; ${aliases.join('; ')}; x=1`)
    await shell.output(`\\trap 'x=2' EXIT; f() { x=1; }`)
    expect(await shell.output('echo $x; printf')).toBe('2\naliased\n')
  })
})

describe('options', () => {
  test.each([
    [
      'shopt -s nullglob nocasematch extglob',
      'shopt -q nullglob && shopt -q nocasematch && shopt -q extglob',
    ],
    ['shopt -u sourcepath', '! shopt -q sourcepath'],
    ['shopt -s failglob dotglob lastpipe', 'shopt -q failglob && shopt -q dotglob && shopt -q lastpipe'],
    ['set -o noclobber -o notify', '[[ $SHELLOPTS == *noclobber*notify* ]]'],
    ['set +B', '[[ $- != *B* ]]'],
    ['set -f -a -T -E -P', '[[ $- == *a*f*E*P*T* ]]'],
    ['set -k', '[[ $- == *k* ]]'],
    ['set -o posix', '[[ $SHELLOPTS == *posix* && $POSIXLY_CORRECT ]]'],
    ['POSIXLY_CORRECT=1', '[[ $SHELLOPTS == *posix* ]]'],
  ])('%s', async (set, check) => {
    const shell = new ShellSession()
    await shell.output(set)
    expect(await shell.output(`${check} && echo yes; x=1`)).toBe('yes\n')
    expect(await shell.output(`${check} && echo "yes $x"`)).toBe('yes 1\n')
  })

  test('taken back are gone', async () => {
    const shell = new ShellSession()
    await shell.output('set -f; shopt -s nullglob; set -o posix')
    await shell.output('set +f; shopt -u nullglob; set +o posix')
    expect(await shell.output('echo $-; shopt -q nullglob || shopt -qo posix || echo off')).toBe('hBc\noff\n')
  })

  test.each(['errexit', 'nounset', 'pipefail', 'verbose', 'xtrace'])(
    '%s is not carried over',
    async (option) => {
      const shell = new ShellSession()
      await shell.run(`set -o ${option}; x=1`)
      expect(await shell.output(`false; echo "$x $nope"; [[ -o ${option} ]] || echo off`)).toBe('1 \noff\n')
    },
  )

  test.each([
    ['set -o pipefail', 'set -o pipefail (all else is kept)'],
    ['set -euo pipefail', 'set -e, set -u, set -o pipefail (all else is kept)'],
    ['set -eu', undefined],
  ])('%s is named once as not kept: %s', async (set, expected) => {
    const shell = new ShellSession()
    expect((await shell.run(`${set}; x=1`)).unsaved).toBe(expected)
    expect(await shell.output(`${set}; echo $x`)).toBe('1\n')
  })

  test('a pipeline that ends early is no failure in the calls after pipefail', async () => {
    const shell = new ShellSession()
    await shell.run('set -o pipefail')
    expect(await shell.run('yes | head -1')).toMatchObject({ exitCode: 0, unsaved: undefined })
  })

  test('extdebug is not carried over, as a shell that starts with it starts a debugger', async () => {
    const shell = new ShellSession()
    await shell.output('shopt -s extdebug; x=1')
    expect(await shell.output('echo $x $-; shopt -q extdebug || echo off')).toBe('1 hBc\noff\n')
  })

  test('set -n ends a call without anything saved', async () => {
    const shell = new ShellSession()
    await shell.output('x=1')
    expect(await shell.run('x=2; set -n; x=3')).toMatchObject({ exitCode: 0, unsaved: expect.any(String) })
    expect(await shell.output('echo $x')).toBe('1\n')
  })
})

describe('dotglob, which GLOBIGNORE switches on', () => {
  const show = 'shopt -q dotglob && echo on || echo off'

  test('is off again without GLOBIGNORE', async () => {
    const shell = new ShellSession()
    await shell.output("GLOBIGNORE='a*'")
    await shell.output(':')
    expect(await shell.output(`${show}; unset GLOBIGNORE`)).toBe('on\n')
    expect(await shell.output(show)).toBe('off\n')
  })

  test('stays off beside GLOBIGNORE', async () => {
    const shell = new ShellSession()
    await shell.output("GLOBIGNORE='a*'; shopt -u dotglob; shopt -s expand_aliases")
    expect(await shell.output(`${show}; shopt -q expand_aliases && echo expand`)).toBe('off\nexpand\n')
  })
})
