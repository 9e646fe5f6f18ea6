// What persists between the calls of a suite, through the real engine: REQ-SUITE-009.

import { BashSession } from '../../../lib/commands/session/bash-session.js'
import { createBashSuite, createBashTool } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const suiteIn = (workingDir: string) => {
  const { bash } = createBashSuite()
  return async (command: string) => bash.toText(await bash.execute({ command }, { workingDir }))
}

describe('the session of a suite', () => {
  test('keeps variables, functions, aliases and the directory', async () => {
    const ask = suiteIn('/')
    await ask(
      'export FOO=bar; list=(a "b c"); greet() { echo "hi $1"; }; alias l=echo; shopt -s expand_aliases; cd /usr',
    )

    expect(await ask('echo "$FOO"; printf "%s\\n" "$list"; greet you; pwd')).toBe('bar\na\nhi you\n/usr\n')
    expect(await ask('l aliased')).toBe('aliased\n')
  })

  test.each(['set -e; false', 'exit 3', 'exec false', 'kill -9 $$', 'trap "exit 4" EXIT', 'PATH='])(
    'survives `%s`',
    async (command) => {
      const ask = suiteIn('/')
      await ask('X=kept')
      await ask(command)

      expect(await ask('echo $X')).toBe('kept\n')
    },
  )

  test('is not shown to the commands it runs', async () => {
    const ask = suiteIn('/')
    await ask('X=1')

    expect(await ask('env | grep -c BASH_ENV; bash -c "echo [\\$BASH_ENV]"')).toBe('0\n[]\n')
  })

  test('says so when its directory is gone, and recovers', async () => {
    const directory = tempDir()
    const ask = suiteIn(directory)
    await ask('mkdir d; cd d; rm -rf ../d')

    expect(await ask('echo hi')).toContain(`${directory}/d cannot be entered`)
    expect(await ask('pwd')).toBe(`${directory}\n`)
  })

  test('gives its variables and its directory to background commands, and takes nothing from them', async () => {
    const { bash, bashOutput, killBash } = createBashSuite()
    const context = { workingDir: '/' }
    await bash.execute({ command: 'X=seen; cd /usr' }, context)
    const { jobId = '' } = await bash.execute(
      { command: 'echo "$X $PWD"; X=changed; sleep 300', run_in_background: true },
      context,
    )
    let output = ''
    for (const end = Date.now() + 20_000; output === '' && Date.now() < end; ) {
      output = (await bashOutput.execute({ bash_id: jobId }, context)).output
    }
    await killBash.execute({ bash_id: jobId }, context)

    expect(output).toBe('seen /usr\n')
    expect((await bash.execute({ command: 'echo $X' }, context)).output).toBe('seen\n')
  })

  test('is one for each suite', async () => {
    const [one, two] = [suiteIn('/'), suiteIn('/')]
    await one('X=1')

    expect(await two('echo "[$X]"')).toBe('[]\n')
  })

  test('can be switched off', async () => {
    const { bash } = createBashSuite({ session: false })
    await bash.execute({ command: 'X=1' }, { workingDir: '/' })

    expect((await bash.execute({ command: 'echo "[$X]"' }, { workingDir: '/' })).output).toBe('[]\n')
  })
})

describe('a session in the context', () => {
  test('is what the bash tool works in', async () => {
    const tool = createBashTool()
    const session = new BashSession({ workingDir: '/' })
    await tool.execute({ command: 'X=1; cd /usr' }, { workingDir: '/', session })
    const result = await tool.execute({ command: 'echo $X; pwd' }, { workingDir: '/', session })

    expect(result.output).toBe('1\n/usr\n')
    expect(session.workingDir).toBe('/usr')
  })

  test('takes its calls one after the other', async () => {
    const tool = createBashTool()
    const session = new BashSession({ workingDir: '/' })
    const calls = Array.from({ length: 10 }, () =>
      tool.execute({ command: 'n=$((n + 1))' }, { workingDir: '/', session }),
    )
    await Promise.all(calls)

    expect((await tool.execute({ command: 'echo $n' }, { workingDir: '/', session })).output).toBe('10\n')
  })

  test('does not mix with a hundred others', async () => {
    const tool = createBashTool()
    const sessions = Array.from({ length: 100 }, () => new BashSession({ workingDir: '/' }))
    const call = (session: BashSession, command: string) =>
      tool.execute({ command }, { workingDir: '/', session })
    await Promise.all(sessions.map((session, index) => call(session, `mine=${index}`)))
    const results = await Promise.all(sessions.map((session) => call(session, 'echo $mine')))

    expect(results.map(({ output }) => Number(output))).toEqual(sessions.map((_, index) => index))
  })

  test('is left as it was by a timeout', async () => {
    const tool = createBashTool({ timeouts: { default: 500 } })
    const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }
    await tool.execute({ command: 'X=before' }, context)
    expect((await tool.execute({ command: 'X=after; sleep 300' }, context)).status).toBe('timed_out')

    expect((await tool.execute({ command: 'echo $X' }, context)).output).toBe('before\n')
  })

  test('that is none is named', async () => {
    const tool = createBashTool()
    const context = { workingDir: '/', session: {} as BashSession }

    expect(tool.toText(await tool.execute({ command: 'true' }, context))).toBe(
      '[system error: context.session: must be a BashSession (got {})]',
    )
  })
})
