// docs/pod.md: its server as process 1 of a PID namespace, with the rights of a restricted pod and a volume as fsGroup makes
// it. Containers that are killed are started again on the same volume. Each command notes its runs in a file.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BashResult } from '../../lib/index.js'
import { isRoot, ordinaryUid, packageRootForOrdinaryUser } from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { pidNamespacePrefix } from '../support/pid-namespace.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { testWorkspace } from '../support/workspace.js'
import { buildFixture } from '../workspace/build-fixture.js'
import { snippetWith } from './snippets.js'

/** What `RuntimeDefault` leaves of the kernel; undefined: there is no C compiler. */
const profile = buildFixture('container-profile')
/** As `securityContext` has it. */
const restricted = `setpriv --reuid ${ordinaryUid} --regid ${ordinaryUid} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`

interface Answer {
  status: number | undefined
  value: BashResult & { text: string }
}

class Pod {
  readonly #directory = tempDir()
  readonly volume = join(this.#directory, 'volume')
  readonly #secrets = join(this.#directory, 'secrets')
  #container: ChildProcess | undefined
  #port = 0

  constructor() {
    // Nothing in a directory of another user in /tmp can be made writable.
    chmodSync(this.#directory, 0o755)
    if (isRoot) chownSync(this.#directory, ordinaryUid, ordinaryUid)
    mkdirSync(this.volume)
    if (isRoot) chownSync(this.volume, 0, ordinaryUid)
    chmodSync(this.volume, 0o2775)
    mkdirSync(this.#secrets)
    const names = '-subj /CN=pod -addext subjectAltName=DNS:localhost'
    const certificate = `req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 ${names} -keyout tls.key -out tls.crt`
    execFileSync('openssl', certificate.split(' '), { cwd: this.#secrets, stdio: 'ignore' })
    writeFileSync(join(this.#secrets, 'token'), 'the token\n')
    writeFileSync(join(this.#secrets, 'session-key'), randomBytes(32))
    for (const name of ['tls.key', 'tls.crt', 'token', 'session-key']) this.#seal(join(this.#secrets, name))
    const app = join(this.#directory, 'app')
    mkdirSync(join(app, 'node_modules'), { recursive: true })
    symlinkSync(packageRootForOrdinaryUser(), join(app, 'node_modules/bashward'))
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(app, 'kept-sessions.js'), snippetWith('calls', 'js', 'class KeptSessions'))
    const server = snippetWith('pod', 'js', 'createServer')
      .replaceAll('/volume', this.volume)
      .replaceAll('/run/secrets/sandbox', this.#secrets)
      .replace('listen(8443)', 'listen(0, () => console.log(server.address().port))')
    writeFileSync(join(app, 'serve.js'), server)
  }

  /** As the files of a secret are: root's, and the group may read. */
  #seal(path: string): void {
    if (isRoot) chownSync(path, 0, ordinaryUid)
    chmodSync(path, 0o440)
  }

  /** @returns whether that can be done here */
  async start(): Promise<boolean> {
    const prefix = pidNamespacePrefix('own')
    if (prefix === undefined) return false
    const limits = [...(profile === undefined ? [] : [profile]), ...(isRoot ? restricted.split(' ') : [])]
    const words = [...prefix, ...limits, process.execPath, 'serve.js']
    const [program = '', ...args] = words
    const { PATH } = process.env
    const container = spawn(program, args, {
      cwd: join(this.#directory, 'app'),
      env: {
        PATH,
        HOME: '/tmp',
        XDG_STATE_HOME: join(this.volume, 'state'),
        CONVERSATION: 'conversation-42',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#container = container
    const ended = once(container, 'exit').then(() => {
      throw new Error('the server has ended')
    })
    ended.catch(() => {})
    const [line] = (await Promise.race([once(container.stdout, 'data'), ended])) as [Buffer]
    this.#port = Number(line)
    return true
  }

  /** Everything in it. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Its process 1 alone. */
  async terminate(): Promise<number | null | undefined> {
    return await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null | undefined> {
    const container = this.#container
    if (container === undefined || container.exitCode !== null || container.signalCode !== null) return
    const { pid } = container
    const ended = once(container, 'exit')
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number)
    if (first !== undefined && first > 1) process.kill(first, signal)
    await ended
    return container.exitCode
  }

  async send(
    method: string,
    id: string,
    input?: object,
    { token = 'the token', signal }: { token?: string; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const body = input === undefined ? '' : JSON.stringify(input)
    const call = request({
      ...{ method, port: this.#port, host: 'localhost', path: `/calls/${id}`, signal, agent: false },
      ca: readFileSync(join(this.#secrets, 'tls.crt')),
      headers: { authorization: `Bearer ${token}`, 'content-length': body.length },
    })
    call.end(body)
    const [response] = await once(call, 'response')
    return { status: response.statusCode, value: JSON.parse(await text(response)) }
  }

  /** A command that notes that it has run. */
  noting(command: string): { command: string } {
    return { command: `echo run >> runs; ${command}` }
  }

  get runs(): number {
    const file = join(this.volume, 'work/runs')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  get secrets(): string {
    return this.#secrets
  }
}

let pod: Pod | undefined
afterEach(async () => {
  await pod?.kill()
  pod = undefined
})
afterEach(killLeftovers)
afterAll(removeTempDirs)

/** A test with a pod that runs. */
const testPod = (name: string, body: (pod: Pod) => Promise<void>): void =>
  testWorkspace(name, async () => {
    try {
      execFileSync('openssl', ['version'], { stdio: 'ignore' })
    } catch {
      return cannotTest('there is no openssl')
    }
    pod = new Pod()
    if (await pod.start()) await body(pod)
  })

testPod('a call that is sent again, since its connection was cut, runs once', async (pod) => {
  const marker = uniqueSleep()
  const cut = new AbortController()
  const input = pod.noting(`sleep ${marker} & wait; echo done`)
  const first = pod.send('PUT', 'toolu_1', input, { signal: cut.signal })
  const [sleeping] = await waitForSleep(marker)
  cut.abort()
  await expect(first).rejects.toThrow()
  const again = pod.send('PUT', 'toolu_1', input)
  if (sleeping !== undefined) process.kill(sleeping.pid, 'SIGTERM')

  expect((await again).value).toMatchObject({ status: 'completed', text: 'done\n', replayed: true })
  expect(pod.runs).toBe(1)
})

testPod('a container that is killed in the middle of a call does not run it again', async (pod) => {
  const marker = uniqueSleep()
  const input = pod.noting(`sleep ${marker}`)
  await pod.send('PUT', 'toolu_1', { command: 'mkdir a; cd a; greet() { echo "hello $1"; }' })
  const lost = pod.send('PUT', 'toolu_2', input)
  lost.catch(() => {})
  await waitForSleep(marker)
  await pod.kill()
  await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
  await expect(lost).rejects.toThrow()
  await pod.start()

  // The kernel kills the supervisor, too: it may have seen the end of its host before, or not.
  expect((await pod.send('GET', 'toolu_2')).value.status).toMatch(/^(?:unknown|result)$/)
  expect((await pod.send('PUT', 'toolu_2', input)).value).toMatchObject({
    error: { code: 'ERR_WORKER_LOST' },
    text: expect.stringMatching(/It (?:has|may have) run.*look before you repeat it/),
  })
  // The session is as the last result has left it.
  expect((await pod.send('PUT', 'toolu_3', { command: 'greet world; pwd; wc -l < runs' })).value.text).toBe(
    `hello world\n${pod.volume}/work/a\n1\n`,
  )
})

testPod('a container that is started again gives the results of the one before', async (pod) => {
  const { value } = await pod.send('PUT', 'toolu_1', pod.noting('echo $$'))
  await pod.kill()
  await pod.start()

  expect((await pod.send('PUT', 'toolu_1', pod.noting('echo $$'))).value).toEqual({
    ...value,
    replayed: true,
  })
  expect(pod.runs).toBe(1)
})

testPod('a call that is deleted is killed', async (pod) => {
  const marker = uniqueSleep()
  const call = pod.send('PUT', 'toolu_1', { command: `setsid -f sleep ${marker}; sleep ${marker}` })
  await waitForSleep(marker, 2)
  await pod.send('DELETE', 'toolu_1')

  expect((await call).value.status).toBe('cancelled')
  expect(processesWith(marker)).toEqual([])
})

testPod('a background command can be read, also after the container was killed', async (pod) => {
  const { value } = await pod.send('PUT', 'toolu_1', {
    command: 'echo started; sleep 0.1',
    mode: 'background',
  })
  const read = async (id: string) =>
    (await pod.send('PUT', id, { command: `cat ${value.outputFile}` })).value.output
  let id = 2
  await waitFor(async () => (await read(`toolu_${id++}`)).startsWith('started\n'), { what: 'its output' })
  await pod.kill()
  await pod.start()

  expect(await read('after')).toMatch(/^started\n/)
})

testPod('a container that is told to stop answers its call first', async (pod) => {
  const marker = uniqueSleep()
  const call = pod.send('PUT', 'toolu_1', { command: `sleep ${marker} & wait; echo done` })
  const [sleeping] = await waitForSleep(marker)
  const ended = pod.terminate()
  if (sleeping !== undefined) process.kill(sleeping.pid, 'SIGTERM')

  expect((await call).value.text).toBe('done\n')
  expect(await ended).toBe(0)
})

testPod('without the token nothing runs, and commands cannot read it', async (pod) => {
  expect((await pod.send('PUT', 'toolu_1', pod.noting('true'), { token: 'another' })).status).toBe(401)
  expect(pod.runs).toBe(0)
  const command = `cat ${pod.secrets}/token ${pod.volume}/state/bashward/calls/*`
  const { value } = await pod.send('PUT', 'toolu_2', { command })
  expect(value.output.match(/Permission denied/g)).toHaveLength(2)
})
