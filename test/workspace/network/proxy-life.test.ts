// The proxy belongs to the commands that it serves: to their background jobs without their host, to nobody after them,
// and to no other process.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type BashResult, run } from '../../../lib/index.js'
import { gate, leaveNothing, liveStore, textOf } from '../../commands/jobs-live/live-jobs.js'
import { attackProgram } from '../../guard/sandbox/sandbox-hosts.js'
import { startHost } from '../../support/host.js'
import { isAlive } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../workspace-hosts.js'
import { closeServers, serveHttp } from './local-servers.js'

afterEach(leaveNothing)
afterEach(closeServers)

/** What the command leaves of its variables, which no output shows. */
const keepProxy = 'echo "$HTTP_PROXY" >proxy'

const proxyOf = (workspace: string): string => readFileSync(join(workspace, 'proxy'), 'utf8').trim()

const hasVariables = (workspace: string): boolean => {
  const path = join(workspace, 'proxy')
  return existsSync(path) && statSync(path).size > 0
}

/** Resolves with the status of the answer. Not synchronously: what it asks for is served by this process. */
const curl = (...words: string[]): Promise<string> =>
  new Promise((resolve) => {
    const all = ['-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code}', ...words]
    execFile('curl', all, { env: { PATH: process.env.PATH } }, (_, stdout) => resolve(stdout))
  })

const page = () => serveHttp((_, answer) => void answer.end('page\n'))

testWorkspace('a job keeps its hosts when its own host is killed, and the proxy ends with it', async () => {
  const place = await page()
  const [first, last] = [gate(), gate()]
  const [directory, cwd] = [join(tempDir(), 'jobs'), tempDir()]
  const store = liveStore(directory)
  const command = `${keepProxy}; ${first.wait}; curl -sS http://${place}/; ${last.wait}`
  const host = startHost('network-job', { argument: { directory, cwd, command, domains: [place] } })
  const { jobId = '', outputFile = '' } = await host.report<BashResult>('started')
  await waitFor(() => hasVariables(cwd), { what: 'the variables' })
  host.kill('SIGKILL')
  await host.exited()

  first.open()
  await waitFor(() => textOf(outputFile).includes('page'), { what: 'the page' })
  expect(await curl('-x', proxyOf(cwd), `http://${place}/`)).toBe('200')

  last.open()
  expect(await store.wait(jobId, { timeoutMs: 20_000 })).toMatchObject({ status: 'completed' })
  await waitFor(async () => (await curl('-x', proxyOf(cwd), `http://${place}/`)) === '000', {
    what: 'the proxy to end',
  })
})

testWorkspace('others need a token, and that of a command is worthless after it', async () => {
  const place = await page()
  const cwd = tempDir()
  const workspace = { network: { domains: [place] } }
  let during = ''
  let asked = false
  const { status } = await run(`${keepProxy}; echo ready; until [ -e done ]; do sleep .02; done`, {
    cwd,
    sandbox: 'workspace',
    workspace,
    timeout: 30_000,
    onOutput: async () => {
      if (asked) return
      asked = true
      const url = new URL(proxyOf(cwd))
      during = await curl('-x', proxyOf(cwd), `http://${place}/`)
      during += await curl('-x', `http://${url.host}`, `http://${place}/`)
      url.password = '0'.repeat(url.password.length)
      during += await curl('-x', url.href, `http://${place}/`)
      writeFileSync(join(cwd, 'done'), '')
    },
  })

  expect({ status, during }).toEqual({ status: 'completed', during: '200407407' })
  await waitFor(async () => (await curl('-x', proxyOf(cwd), `http://${place}/`)) === '407', {
    what: 'the token to be worthless',
  })
})

testWorkspace('a command reaches no port of another process but that of its proxy', async () => {
  const program = attackProgram()
  if (program === undefined) throw new Error('there is no C compiler')
  const cwd = tempDir()
  const place = await page()
  const { output } = await run(
    `${keepProxy}; for p in $(sed -n 's/.* 0100007F:\\([0-9A-F]*\\) 00000000:0000 0A .*/\\1/p' /proc/net/tcp); do
  [ "$('${program}' dial 127.0.0.1 $((16#$p)))" = ok ] && echo $((16#$p)); done`,
    { cwd, sandbox: 'workspace', workspace: { network: { domains: [place] } }, timeout: 60_000 },
  )

  expect(output).toBe(`${new URL(proxyOf(cwd)).port}\n`)
})

testWorkspace('whoever takes the port of a proxy that has ended is not reached', async () => {
  const program = attackProgram()
  if (program === undefined) throw new Error('there is no C compiler')
  const place = await page()
  const [directory, cwd] = [join(tempDir(), 'jobs'), tempDir()]
  liveStore(directory)
  const command = `${keepProxy}; until [ -e go ]; do sleep .02; done
'${program}' dial 127.0.0.1 "$\{HTTP_PROXY##*:}"; echo over; sleep 60`
  const host = startHost('network-job', { argument: { directory, cwd, command, domains: [place] } })
  const { outputFile = '' } = await host.report<BashResult>('started')
  await waitFor(() => hasVariables(cwd), { what: 'the variables' })
  const port = Number(new URL(proxyOf(cwd)).port)
  const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8')
  const proxy = children
    .trim()
    .split(' ')
    .map(Number)
    .find((pid) => pid > 1 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('bashward-proxy'))
  if (proxy === undefined) throw new Error(`no proxy among ${children}`)
  process.kill(proxy, 'SIGKILL')
  await waitFor(() => !isAlive(proxy), { what: 'the proxy to end' })
  let arrived = 0
  const thief = createServer((socket) => {
    arrived += 1
    socket.destroy()
  })
  await waitFor(
    () =>
      new Promise<boolean>((resolve) => {
        thief.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
      }),
    { what: 'the port' },
  )
  writeFileSync(join(cwd, 'go'), '')
  await waitFor(() => textOf(outputFile).includes('over'), { what: 'the attempt' })
  thief.close()

  expect(arrived).toBe(0)
  expect(textOf(outputFile)).toMatch(/^connect: (ECONNREFUSED|EPERM)\nover\n/)
})
