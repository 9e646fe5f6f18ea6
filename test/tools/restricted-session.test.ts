// Sessions in Restricted mode: state persists without a file to write it to, and never crosses from mode to mode.
import { type BashResult, BashSession, createBashTool, type SandboxMode } from '../../lib/index.js'
import { testRestricted } from '../support/restricted.js'

const tool = createBashTool()

const conversation = (workingDir = '/') => {
  const session = new BashSession({ workingDir })
  return (sandbox: SandboxMode, command: string): Promise<BashResult> =>
    tool.execute({ command }, { workingDir, sandbox, session })
}

testRestricted('variables, functions and the directory persist', async () => {
  const run = conversation()
  await run('restricted', 'greeting=hello; greet() { echo "$greeting, $1"; }; cd /usr')

  expect(await run('restricted', 'greet you; pwd')).toMatchObject({
    status: 'completed',
    output: 'hello, you\n/usr\n',
    sandbox: 'restricted',
  })
})

testRestricted('what a restricted command defines is not there in Unrestricted mode', async () => {
  const run = conversation()
  await run('restricted', 'ls() { echo mine; }; PATH=/nowhere:$PATH; alias cat=rm')
  const { output } = await run(
    'unrestricted',
    'type -t ls cat; case $PATH in /nowhere*) echo taken over;; esac',
  )

  expect(output).toBe('file\nfile\n')
})

testRestricted('and the other way round', async () => {
  const run = conversation()
  await run('unrestricted', 'secret=value; reveal() { echo "$secret"; }')

  expect(await run('restricted', 'echo "[$secret]"; type -t reveal')).toMatchObject({ output: '[]\n' })
})

testRestricted('each mode goes on where it was', async () => {
  const run = conversation()
  await run('restricted', 'x=1')
  await run('unrestricted', 'x=2')

  expect(await run('restricted', 'echo "$x"')).toMatchObject({ output: '1\n' })
  expect(await run('unrestricted', 'echo "$x"')).toMatchObject({ output: '2\n' })
})

testRestricted(
  'a restricted command moves no unrestricted one, not even by forging the session state',
  async () => {
    const run = conversation()
    // The shell itself has all that is needed, and is kept from saving.
    const forge = [
      "mark=$(declare -f __bashward_save); mark=${mark##*printf \\'}; mark=${mark%% *}",
      '{ read -r _; read -r options; } </dev/fd/201',
      'printf "%s\\n" "$mark state" "$options" "$mark umask" 0022 "$mark functions" \\',
      '  "$mark directory" /etc "$mark definitions" "$mark end" >>/dev/fd/201',
    ]
    await run('restricted', `${forge.join('\n')}; builtin trap - EXIT`)

    expect(await run('restricted', 'pwd')).toMatchObject({ output: '/etc\n' })
    expect(await run('unrestricted', 'pwd')).toMatchObject({ output: '/\n' })
  },
)

testRestricted('cd of a restricted command moves restricted ones only', async () => {
  const run = conversation()
  await run('restricted', 'cd /usr')

  expect(await run('restricted', 'pwd')).toMatchObject({ output: '/usr\n' })
  expect(await run('unrestricted', 'pwd')).toMatchObject({ output: '/\n' })
})
