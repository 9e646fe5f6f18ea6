// Servers of a command's own, and hosts by the proxy: what works, what is refused, and that tokens are not shown.
import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type BashEvent, BashSession, createBashTool, createExecTool, run } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'

afterEach(endJobs)

const servers: Server[] = []
const { XDG_STATE_HOME } = process.env
beforeAll(() => {
  process.env.XDG_STATE_HOME = tempDir()
})
afterAll(async () => {
  if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = XDG_STATE_HOME
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  removeTempDirs()
})

/** A service of this machine. At 127.0.0.2 no variable for proxies makes an exception. */
const startService = async (address: string): Promise<string> => {
  const server = createServer((_, response) => response.end('served\n'))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return `${address}:${(server.address() as AddressInfo).port}`
}

const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0

const testWithCurl = (name: string, body: () => Promise<void>): void =>
  testWorkspace(name, async () => {
    if (!hasCurl) return cannotTest('curl is missing')
    await body()
  })

const projectDir = (): string => realpathSync(tempDir())
const inWorkspace = (command: string, domains?: string[], cwd = projectDir()) =>
  run(command, {
    cwd,
    sandbox: 'workspace',
    ...(domains && { workspace: { network: { domains } } }),
  })

const token = /bashward:[0-9a-f]{48}/
const stars = `bashward:${'*'.repeat(48)}@127.0.0.1:`

const ownServer = `node -e 'require("http").createServer((_, r) => r.end("served\\n")).listen(0, "localhost", function () {
  require("fs").writeFileSync("port", String(this.address().port)) })' &
until [ -s port ]; do sleep 0.05; done`

describe('servers of the command itself', () => {
  testWithCurl('are reached', async () => {
    expect(await inWorkspace(`${ownServer}; curl -sS "localhost:$(cat port)"; kill $!`)).toMatchObject({
      status: 'completed',
      output: 'served\n',
    })
  })

  testWithCurl('are not, where the policy has none', async () => {
    const { status, denials } = await run('exec 3<>/dev/tcp/127.0.0.1/9', {
      cwd: projectDir(),
      sandbox: { writable: ['.'] },
    })

    expect(status).toBe('failed')
    expect(denials?.[0]).toMatchObject({ grant: { loopback: true } })
  })

  testWithCurl('those of others are not, and the result names them', async () => {
    const host = await startService('127.0.0.1')
    const command = `curl -sS ${host}`

    expect(await run(command, { cwd: '/' })).toMatchObject({ output: 'served\n' })
    expect(await inWorkspace(command)).toMatchObject({
      status: 'failed',
      denied: 'of the servers on this machine, only those that the command itself has started can be reached',
      denials: [{ operation: 'connect', target: host }],
    })
  })
})

describe('hosts', () => {
  testWithCurl('that are listed are reached', async () => {
    const host = await startService('127.0.0.2')

    expect(await inWorkspace(`curl -sS http://${host}`, [host])).toMatchObject({
      status: 'completed',
      output: 'served\n',
    })
  })

  testWithCurl('are so by a policy that lets nothing be written, too', async () => {
    const host = await startService('127.0.0.2')
    const sandbox = { network: { domains: [host] } }

    expect(await run(`curl -sS http://${host}`, { cwd: '/', sandbox })).toMatchObject({
      status: 'completed',
      sandbox: 'custom',
      output: 'served\n',
    })
  })

  testWithCurl('that are not listed are refused, with what would allow them', async () => {
    const host = await startService('127.0.0.2')
    const result = await inWorkspace('curl -sSf http://unlisted.example https://other.example', [host])

    expect(result).toMatchObject({
      status: 'failed',
      denied: `only ${host} can be reached, by the proxy in $HTTPS_PROXY`,
    })
    expect(result.denials).toEqual([
      {
        operation: 'network',
        target: 'unlisted.example:80',
        grant: { network: { domains: ['unlisted.example'] } },
      },
      {
        operation: 'network',
        target: 'other.example:443',
        grant: { network: { domains: ['other.example'] } },
      },
    ])
  })

  testWithCurl('are not reached past the proxy', async () => {
    const host = await startService('127.0.0.2')

    expect(await inWorkspace(`curl -sS --noproxy '*' http://${host}`, [host])).toMatchObject({
      status: 'failed',
      denials: [{ operation: 'connect', target: host }],
    })
  })

  testWithCurl('are reached by background jobs', async () => {
    const host = await startService('127.0.0.2')
    const jobs = tempStore()
    const tool = createBashTool({ jobs, workspace: { network: { domains: [host] } } })
    const command = `curl -sS http://${host}; echo $HTTP_PROXY`
    const context = { workingDir: projectDir(), sandbox: 'workspace' } as const
    const { jobId = '' } = await tool.execute({ command, mode: 'background' }, context)
    await jobs.wait(jobId)
    const { output } = await jobs.read(jobId)

    expect(output).toMatch(/^served\n/)
    expect(output).toContain(stars)
  })
})

testWithCurl('what a background job could not reach is told of the job', async () => {
  const jobs = tempStore()
  const tool = createBashTool({ jobs, workspace: { network: { domains: ['a.example'] } } })
  const context = { workingDir: projectDir(), sandbox: 'workspace' } as const
  const command = 'curl -s https://unlisted.example'
  const { jobId = '' } = await tool.execute({ command, mode: 'background' }, context)

  expect(await jobs.wait(jobId)).toMatchObject({
    denied: 'only a.example can be reached, by the proxy in $HTTPS_PROXY',
    denials: [
      {
        operation: 'network',
        target: 'unlisted.example:443',
        grant: { network: { domains: ['unlisted.example'] } },
      },
    ],
  })
})

describe('the token of a command', () => {
  testWorkspace('is not in what a result shows', async () => {
    const { output } = await inWorkspace('env', ['a.example'])

    expect(output).toContain(`HTTPS_PROXY=http://${stars}`)
    expect(output).not.toMatch(token)
  })

  testWorkspace('nor in either stream of the exec tool', async () => {
    const tool = createExecTool({ workspace: { network: { domains: ['a.example'] } } })
    const command = 'echo $HTTPS_PROXY; echo $HTTPS_PROXY >&2'
    const { stdout, stderr } = await tool.execute(
      { command },
      { workingDir: projectDir(), sandbox: 'workspace' },
    )

    expect(stdout).toContain(stars)
    expect(stderr).toContain(stars)
    expect(stdout + stderr).not.toMatch(token)
  })

  testWorkspace('nor in live output, however it comes', async () => {
    const tool = createBashTool({ workspace: { network: { domains: ['a.example'] } } })
    const pieces: string[] = []
    const command =
      'for i in 10 30 50; do printf %s "${HTTPS_PROXY:0:$i}"; sleep 0.1; echo "${HTTPS_PROXY:$i}"; done'
    const onEvent = (event: BashEvent) => {
      if (event.type === 'output') pieces.push(event.text)
    }
    await tool.execute({ command }, { workingDir: projectDir(), sandbox: 'workspace', onEvent })

    expect(pieces.join('').split(stars)).toHaveLength(4)
    expect(pieces.join('')).not.toMatch(token)
  })

  testWorkspace('nor in a saved file', async () => {
    const { savedOutput = '' } = await run('for i in {1..3000}; do echo "$i $HTTPS_PROXY"; done', {
      cwd: projectDir(),
      sandbox: 'workspace',
      workspace: { network: { domains: ['a.example'] } },
      saveOutput: { directory: tempDir() },
    })
    const saved = readFileSync(savedOutput, 'utf8')
    rmSync(savedOutput)

    expect(saved.split(stars)).toHaveLength(3001)
    expect(saved).not.toMatch(token)
  })

  testWithCurl('is another one for each call of a session', async () => {
    const host = await startService('127.0.0.2')
    const session = new BashSession({ workingDir: projectDir() })
    const tool = createBashTool({ workspace: { network: { domains: [host] } } })
    const context = { workingDir: projectDir(), sandbox: 'workspace', session } as const
    await tool.execute({ command: `x=1; echo "$HTTPS_PROXY" > old` }, context)
    const { output } = await tool.execute(
      { command: `echo $x; [ "$HTTPS_PROXY" != "$(cat old)" ] && curl -sS http://${host}` },
      context,
    )

    expect(output).toBe('1\nserved\n')
  })

  testWithCurl('is worthless when the command has ended', async () => {
    const host = await startService('127.0.0.2')
    const cwd = projectDir()
    await inWorkspace('echo "$HTTP_PROXY" > proxy', [host], cwd)
    const proxy = readFileSync(join(cwd, 'proxy'), 'utf8').trim()

    expect(proxy).toMatch(token)
    expect(
      await run(`curl -s -o /dev/null -w '%{http_code}' -x ${proxy} http://${host}`, { cwd }),
    ).toMatchObject({
      output: '407',
    })
  })
})

describe('caches', () => {
  testWorkspace('can be written, and are there for the next command', async () => {
    const cwd = projectDir()
    await inWorkspace(
      'mkdir -p "$npm_config_cache" && echo kept > "$npm_config_cache/file"',
      ['a.example'],
      cwd,
    )

    expect(await inWorkspace('cat "$npm_config_cache/file"', ['a.example'], cwd)).toMatchObject({
      output: 'kept\n',
    })
  })

  testWorkspace('are known to the safety check, which refuses what would remove everything', async () => {
    const tool = createBashTool({ workspace: { network: { domains: ['a.example'] } } })
    const context = { workingDir: projectDir(), sandbox: 'workspace' } as const
    const attempt = (command: string) => tool.execute({ command }, context)

    expect(await attempt('rm -rf "$GOMODCACHE"/*')).toMatchObject({ status: 'completed' })
    expect(await attempt('rm -rf "$NOBODY_HAS_THIS"/*')).toMatchObject({ status: 'rejected' })
  })

  testWorkspace('are others for another workspace, which cannot write to these', async () => {
    const cwd = projectDir()
    await inWorkspace('mkdir -p "$CARGO_HOME"; echo "$CARGO_HOME" > cache', ['a.example'], cwd)
    const cache = readFileSync(join(cwd, 'cache'), 'utf8').trim()
    const { status, output } = await inWorkspace(`echo "$CARGO_HOME"; echo x > ${cache}/file`, ['a.example'])

    expect(status).toBe('failed')
    expect(output).not.toContain(`${cache}\n`)
    expect(output).toContain('Permission denied')
  })
})
