// When nobody answers a command's calls any more, no sockets are made: what is left of it reaches nobody, and cannot
// answer itself.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { attackPath } from '../attack-program.js'
import { testWorkspace } from '../workspace-hosts.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

/** A server of the host's, and how many have come. */
const service = async () => {
  let arrived = 0
  const server = createServer((socket) => {
    arrived += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { port, arrivals: () => arrived, close: () => server.close() }
}

/** A daemon that tries it when the file `go` is there, and says in files what came of it. */
const dialLater = (program: string, port: number | undefined, marker: string): string =>
  `cat >later.sh <<'END'
until [ -e go ]; do sleep .02; done
'${program}' dial 127.0.0.1 ${port} >dial
'${program}' answer-itself-dial ${port} >listener
mv listener done
END
setsid -f bash later.sh ${marker} >/dev/null 2>&1 </dev/null`

const said = (workspace: string, name: string): string =>
  existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8').trim() : ''

/** What the daemon heard, once it is over or gone. */
const outcomes = async (workspace: string, marker: string) => {
  writeFileSync(join(workspace, 'go'), '')
  const isOver = () => existsSync(join(workspace, 'done')) || processesWith(marker).length === 0
  await waitFor(isOver, { what: 'the attempt to be over' })
  return { dial: said(workspace, 'dial'), listener: said(workspace, 'done') }
}

testWorkspace('what a killed supervisor leaves gets no sockets, and cannot answer itself', async () => {
  const program = attackPath()
  if (program === undefined) throw new Error('there is no C compiler')
  const [workspace, marker, host] = [tempDir(), uniqueSleep(), await service()]
  let killed = false
  const result = await run(`${dialLater(program, host.port, marker)}; echo $PPID; sleep ${marker}; :`, {
    cwd: workspace,
    sandbox: 'workspace',
    // Nobody would remove it.
    scratch: false,
    timeout: 30_000,
    onOutput: ({ text }) => {
      const pid = Number(text)
      if (!killed && pid > 1) process.kill(pid, 'SIGKILL')
      killed = true
    },
  })
  const { dial, listener } = await outcomes(workspace, marker)
  host.close()

  expect(result.status).toBe('error')
  expect(host.arrivals()).toBe(0)
  // It may have been killed with its supervisor.
  expect(dial).toMatch(/^(socket: (ENOSYS|EPERM)|)$/)
  expect(listener).toMatch(/^(listener: EBUSY|)$/)
})

testWorkspace('a survivor of a normal end is answered as before, and cannot answer itself', async () => {
  const program = attackPath()
  if (program === undefined) throw new Error('there is no C compiler')
  const [workspace, marker, host] = [tempDir(), uniqueSleep(), await service()]
  const result = await run(dialLater(program, host.port, marker), {
    cwd: workspace,
    sandbox: 'workspace',
    scratch: false,
    survivors: 'adopt',
    timeout: 30_000,
  })
  const heard = await outcomes(workspace, marker)
  await waitUntilGone(marker)
  host.close()

  expect(result.status).toBe('completed')
  expect(host.arrivals()).toBe(0)
  expect(heard).toEqual({ dial: 'connect: ECONNREFUSED', listener: 'listener: EBUSY' })
})

test('without a sandbox the same attempts succeed', async () => {
  const program = attackPath()
  if (program === undefined) return
  const host = await service()
  const { output } = await run(
    `'${program}' dial 127.0.0.1 ${host.port}; '${program}' answer-itself-dial ${host.port}`,
    { cwd: tempDir() },
  )
  host.close()

  // Where somebody else has a listener, there can be no other.
  expect(output).toMatch(/^ok\n(ok|listener: EBUSY)\n$/)
})
