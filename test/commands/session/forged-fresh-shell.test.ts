// What the record says of the fresh shell has a mark that other processes can read: it makes the session forget nothing.
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const env = { GIVEN: 'host', GONE: 'host' }
const change =
  'umask 077; PATH=/opt/safe:$PATH; GIVEN=own; unset GONE; set -o noclobber; shopt -s nullglob; shopt -u cmdhist'
const look =
  'umask; echo "${PATH%%:*} $GIVEN ${GONE-unset}"; [[ -o noclobber ]] && echo noclobber; shopt -p nullglob cmdhist'

/** As if the fresh shell had been as the shell is in the end. */
const forgeFresh = (state: Buffer): Buffer => {
  const text = state.toString('latin1')
  const [, header = '', nonce = ''] = /^(bashward-session-2 (\w+)\n)/.exec(text) ?? []
  const [, secret = ''] = /^(\w+) state$/m.exec(text) ?? []
  const section = (name: string) =>
    new RegExp(`^${secret} ${name}\n([^]*?)(?=^${secret} )`, 'm').exec(text)?.[1] ?? ''
  const options = section('state').replace(/ \S*\n$/, '\n')
  const definitions = section('definitions').replace(/^alias .*\n/gm, '')
  const behind = text.slice(text.indexOf(`\n${nonce} ready\n`) + 1)
  return Buffer.from(header + options + section('umask') + definitions + behind, 'latin1')
}

test('it is as it was when the call has not changed it', async () => {
  const shell = new ShellSession()
  await shell.output(change, { env })
  const before = await shell.output(look, { env })
  expect(before).toBe('0077\n/opt/safe own unset\nnoclobber\nshopt -s nullglob\nshopt -u cmdhist\n')
  await shell.output(':', { env, tamper: forgeFresh })

  expect(await shell.output(look, { env })).toBe(before)
})

test('what a call sets back is as in a fresh shell again', async () => {
  const shell = new ShellSession()
  await shell.output(change, { env })
  await shell.output(
    'umask 022; PATH=${PATH#*:}; export GIVEN=host GONE=host; set +o noclobber; shopt -u nullglob; shopt -s cmdhist',
    { env },
  )
  const { variables, unsetVariables, set, shopt } = shell.session.shellIn('unrestricted')

  expect([...variables.keys()]).toEqual([])
  expect([...unsetVariables]).toEqual([])
  expect([set, shopt]).toEqual([
    { on: [], off: [] },
    { on: [], off: [] },
  ])
})
