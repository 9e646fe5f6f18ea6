// Restricted mode as the tools offer it: what a call gives, what the model reads, what the description says.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { protections } from '../../lib/guard/sandbox/protections.js'
import {
  type BashResult,
  type BashToolOptions,
  createBashSuite,
  createBashTool,
  createExecTool,
  type ExecToolOptions,
} from '../../lib/index.js'
import { packageRoot } from '../support/as-user.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { testRestricted } from '../support/restricted.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const context = { workingDir: '/', sandbox: 'restricted' } as const

const call = (command: string, options: BashToolOptions = {}): Promise<BashResult> =>
  createBashTool({ jobs: tempStore(), ...options }).execute({ command }, context)

/** The tools, each with the name of the option under which it takes a command, and the text of its result. */
const tools = {
  bash: async (command: string) => createBashTool().toText(await call(command)),
  suite: async (command: string) => {
    const { bash } = createBashSuite({ jobs: tempStore() })
    return bash.toText(await bash.execute({ command }, context))
  },
  exec: async (command: string) => {
    const { stdout, stderr } = await createExecTool().execute({ command }, context)
    return stdout + stderr
  },
}

describe.each(Object.entries(tools))('the %s tool', (_, textOf) => {
  testRestricted('reads, and does not write', async () => {
    const file = join(tempDir(), 'file')
    const text = await textOf(`head -c 4 /etc/passwd >/dev/null && echo read; echo x >'${file}'`)

    expect(text).toContain('read\n')
    expect(text).toContain(`${file}: Permission denied`)
    expect(existsSync(file)).toBe(false)
  })
})

describe('a result', () => {
  testRestricted('says that sort may have lost what it read, where its error goes', async () => {
    const denied =
      'sort cannot use temporary files in Restricted mode; give it more memory, as with sort -S 1G'
    const counted = await call('seq 130000 | sort 2>/dev/null | wc -l')
    expect(counted).toMatchObject({ status: 'completed', denied })
    expect(await call('seq 130000 | sort | wc -l')).toMatchObject({ status: 'completed', denied })
    expect(await call('seq 130000 | sort -S 1G 2>/dev/null | wc -l')).not.toHaveProperty('denied')
    expect(await call('seq 900 | sort 2>/dev/null | wc -l')).not.toHaveProperty('denied')
  })

  testRestricted('says what was in force, and what was probably refused', async () => {
    expect(await call('exec 3<>/dev/tcp/127.0.0.1/9')).toMatchObject({
      status: 'failed',
      sandbox: 'restricted',
      enforced: expect.arrayContaining(protections.filter((name) => name !== 'signals')),
      denied: 'network is blocked in Restricted mode',
    })
  })

  testRestricted('of a command that had its way says nothing of refusals', async () => {
    const result = await call("echo 'x: Permission denied'")

    expect(result).toMatchObject({ status: 'completed', sandbox: 'restricted' })
    expect(result).not.toHaveProperty('denied')
  })

  const wrongAnswers: [command: string, denied: RegExp][] = [
    ['cat <<< "$(head -c 100000 /dev/zero | tr "\\0" x)" | wc -c', /^here-documents/],
    ['seq 300000 | sort -S 1M | wc -l', /^sort cannot use temporary files/],
    ['echo x >/nope; true', /^files are read-only/],
    ['mkdir /nope 2>&1 | cat', /^files are read-only/],
    ['exec 3<>/dev/tcp/127.0.0.1/9; echo next', /^network is blocked/],
  ]

  testRestricted('of a command that succeeds with a wrong answer says what was refused', async () => {
    for (const [command, denied] of wrongAnswers) {
      expect(await call(command)).toMatchObject({
        status: 'completed',
        exitCode: 0,
        denied: expect.stringMatching(denied),
      })
    }
  })

  test('of a call that did not run is of the mode that was asked for', async () => {
    const tool = createBashTool()

    expect(await tool.execute({}, context)).toMatchObject({ status: 'invalid', sandbox: 'restricted' })
    expect(await tool.execute({ command: 'ls' }, { ...context, cancel: AbortSignal.abort() })).toMatchObject({
      sandbox: 'restricted',
      enforced: [],
    })
  })

  test('of Unrestricted mode has nothing in force, and no refusals', async () => {
    const result = await createBashTool().execute(
      { command: 'echo "Permission denied"; false' },
      { workingDir: '/' },
    )

    expect(result).toMatchObject({ status: 'failed', sandbox: 'unrestricted', enforced: [] })
    expect(result).not.toHaveProperty('denied')
  })
})

describe('the text of a result', () => {
  testRestricted('ends with what was probably refused, after a success too', async () => {
    expect(createBashTool().toText(await call('echo x >/nope || true'))).toBe(
      'bash: line 1: /nope: Permission denied\n[sandbox: files are read-only in Restricted mode]',
    )
  })

  testRestricted('ends with what was probably refused', async () => {
    const text = createBashTool().toText(await call('echo x >/nope'))

    expect(text).toBe(
      '[command failed: exit code 1]\nbash: line 1: /nope: Permission denied\n' +
        '[sandbox: files are read-only in Restricted mode]',
    )
  })
})

describe('survivors', () => {
  testRestricted('are killed', async () => {
    const marker = uniqueSleep()

    expect(await call(`setsid -f sleep ${marker}; echo done`)).toMatchObject({
      status: 'completed',
      output: 'done\n',
      survivors: [],
    })
    expect(processesWith(marker)).toEqual([])
  })

  testRestricted('become a job when that is asked for, and stay confined', async () => {
    const marker = uniqueSleep()
    const file = join(tempDir(), 'file')
    const command = `(until pgrep -xf 'sleep ${marker}'; do :; done; echo x >'${file}'; exec sleep 30) & sleep ${marker} & :`
    const result = await call(command, { survivors: 'adopt' })
    await waitForSleep(marker)

    expect(result).toMatchObject({ jobId: expect.any(String), sandbox: 'restricted' })
    expect(result.survivors.length).toBeGreaterThan(0)
    expect(existsSync(file)).toBe(false)
  })
})

describe('the environment', () => {
  testRestricted('keeps programs from waiting for a network, unless the caller says otherwise', async () => {
    const show = 'echo "$npm_config_offline $npm_config_fetch_retries $CARGO_NET_RETRY $PIP_RETRIES"'

    expect(await call(show)).toMatchObject({ output: 'true 0 0 1\n' })
    expect(
      await call(show, { env: { set: { npm_config_offline: 'false', PIP_RETRIES: '5' } } }),
    ).toMatchObject({ output: 'false 0 0 5\n' })
  })

  testRestricted('names no file of the package, which another command may write', async () => {
    const env = { inherit: 'none', set: { PATH: '/usr/bin:/bin', HOME: '/', TMPDIR: '/' } } as const
    const { status, output } = await call('env', { env })

    expect(status).toBe('completed')
    expect(output).not.toContain(packageRoot)
  })

  test('of Unrestricted mode has none of it', async () => {
    const { output } = await createBashTool().execute(
      { command: 'echo "$CARGO_NET_RETRY"' },
      { workingDir: '/' },
    )

    const { CARGO_NET_RETRY = '' } = process.env
    expect(output).toBe(`${CARGO_NET_RETRY}\n`)
  })

  testRestricted('names the scratch directory once', async () => {
    const directory = tempDir()
    const options = { scratch: { directory }, env: { set: { TMPDIR: '/elsewhere' } } }
    const { output } = await call("tr '\\0' '\\n' </proc/$$/environ | grep ^TMPDIR", options)

    expect(output).toMatch(new RegExp(`^TMPDIR=${directory}/bashward-scratch-[0-9a-f]{16}\n$`))
  })
})

describe('the description', () => {
  const descriptionsOf = (sandbox: 'restricted' | 'unrestricted', options: ExecToolOptions = {}) => [
    createBashTool(options).description({ workingDir: '/', sandbox }),
    createBashSuite(options).bash.description({ workingDir: '/', sandbox }),
    createExecTool(options).description({ workingDir: '/', sandbox }),
  ]

  test('names the constraints in Restricted mode only', () => {
    for (const text of descriptionsOf('restricted')) {
      expect(text).toMatch(/RESTRICTED MODE[\s\S]*no network[\s\S]*<pwd>\/<\/pwd>$/)
    }
    for (const text of descriptionsOf('unrestricted')) expect(text).not.toContain('RESTRICTED')
  })

  test('speaks of TMPDIR when commands have one of their own', () => {
    for (const text of descriptionsOf('restricted', { scratch: true })) expect(text).toContain('$TMPDIR')
    for (const text of descriptionsOf('restricted')) expect(text).not.toContain('$TMPDIR')
  })
})

describe('the error of the exec tool', () => {
  testRestricted('what was probably refused is told, also when the program says nothing', async () => {
    const result = await createExecTool().execute(
      { command: 'exec 2>&-; curl() { return 7; }; curl' },
      context,
    )

    expect(result).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 7,
      error: 'perhaps blocked by the sandbox: network is blocked in Restricted mode',
    })
  })

  testRestricted('a wrong answer is told, also when the exit code is 0', async () => {
    const result = await createExecTool().execute({ command: 'echo x >/nope; echo done' }, context)

    expect(result).toMatchObject({
      exitCode: 0,
      error: 'perhaps blocked by the sandbox: files are read-only in Restricted mode',
    })
  })

  testRestricted('an ordinary failure is no error', async () => {
    expect(await createExecTool().execute({ command: 'echo no; exit 3' }, context)).toEqual({
      stdout: 'no\n',
      stderr: '',
      exitCode: 3,
    })
  })
})
