// What is not the session's shell writes a state into the record of a call: the session believes none of it.
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

/** Defines `forge MARK`, which writes a whole state, as the shell does in the end. */
const forge = `forge() {
  printf '%s\\n' "$1 state" "$SHELLOPTS $BASHOPTS $BASHOPTS" "$1 umask" 0000 "$1 functions" "$1 directory" /usr \\
    "$1 definitions" 'declare -a __bashward_arguments=([0]="forged")' "declare -- x=\\"forged\\"" "$1 end"
}`
/** What everything that the shell starts can read. */
const readNonce = 'read -r _ nonce </dev/fd/201'
const look = 'echo "$(umask) $PWD $# ${1-} ${x-unset}"'

const begin = async () => {
  const workingDir = tempDir()
  const shell = new ShellSession({ workingDir })
  await shell.output(`umask 027; x=real`)
  return { shell, expected: `0027 ${workingDir} 0  real\n` }
}

describe('a state with the mark that other processes can read', () => {
  test.each([
    ['before a shell that saves nothing', `${readNonce}; forge "$nonce" >>/dev/fd/201; exec true`],
    ['through the open descriptor', `${readNonce}; exec 201>>/dev/fd/201; forge "$nonce" >&201; exec true`],
    ['by a child', `export -f forge; bash -c '${readNonce}; forge "$nonce" >>/dev/fd/201'; exec true`],
    ['before that of the shell', `${readNonce}; forge "$nonce" >>/dev/fd/201`],
    [
      'behind that of the shell',
      `${readNonce}; { until grep -q ' end$' /dev/fd/201; do :; done; forge "$nonce" >>/dev/fd/201; } &`,
    ],
  ])('%s', async (_, command) => {
    const { shell, expected } = await begin()
    const { unsaved } = await shell.run(`${forge}; ${command}`)

    expect(unsaved).toBeDefined()
    expect(await shell.output(look)).toBe(expected)
  })
})

test('one more with the secret mark, behind that of the shell', async () => {
  const { shell, expected } = await begin()
  const { unsaved } = await shell.run(`${forge}
    {
      until grep -q ' end$' /dev/fd/201; do :; done
      forge "$(sed -n 's/ end$//p' /dev/fd/201)" >>/dev/fd/201
    } &`)

  expect(unsaved).toContain('more than one state')
  expect(await shell.output(look)).toBe(expected)
})

test('that the directory was lost: the session stays where it is', async () => {
  const { shell, expected } = await begin()
  await shell.run(`${readNonce}; echo "$nonce lost" >>/dev/fd/201; exec true`)

  expect(await shell.output(look)).toBe(expected)
})

test('the secret mark is in no file, variable or argument that a child can read', async () => {
  let secret = ''
  const tamper = (state: Buffer) => {
    secret = /^([0-9a-f]{24}) state$/m.exec(state.toString('latin1'))?.[1] ?? ''
    return state
  }
  const files = '/proc/$PPID/environ /proc/$PPID/cmdline /proc/$PPID/fd/* /dev/fd/*'
  const { stdout } = await new ShellSession().run(
    `bash -c 'env; timeout 5 cat ${files} </dev/null' 2>/dev/null`,
    { tamper },
  )

  expect(secret).toMatch(/^[0-9a-f]{24}$/)
  expect(stdout).toContain('bashward-session-2 ')
  expect(stdout).not.toContain(secret)
})
