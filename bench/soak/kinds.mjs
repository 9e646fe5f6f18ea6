// The commands of a soak. Each kind starts one and says what was wrong with its result, or undefined.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

const FLOOD_BYTES = 2_000_000

/** Jobs that are kept: the directory is full early on, and must not grow from then on. */
const MAX_JOBS = 40

/** Perl: one process serves another on a port of 127.0.0.1. */
const SERVER_AND_CLIENT = [
  'use Socket',
  'socket(S, PF_INET, SOCK_STREAM, 0) && bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 1) or die "serve: $!"',
  'my ($port) = sockaddr_in(getsockname(S))',
  'if (!fork) { socket(C, PF_INET, SOCK_STREAM, 0); connect(C, sockaddr_in($port, INADDR_LOOPBACK)) or die "connect: $!"; print <C>; exit }',
  'accept(A, S); syswrite(A, "served\\n"); close(A); wait',
].join('; ')

const has = (program) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}

const expect = (result, wanted) => {
  const wrong = Object.entries(wanted).find(([name, value]) => result[name] !== value)
  return (
    wrong &&
    `${wrong[0]} is ${JSON.stringify(result[wrong[0]])}, not ${JSON.stringify(wrong[1])} (${JSON.stringify(result.error)})`
  )
}

/** A file name that is an argument of every command, by which those that are left behind are found. */
const markOf = (temporary) => `: ${temporary};`

/**
 * @param {object} bashward the package
 * @param {string} temporary a directory of this soak
 * @returns {Promise<{ kinds: Record<string, () => Promise<string | undefined>>, weights: string[], lasting: number,
 *   tidy: () => Promise<unknown>, close: () => void }>} weights: the kinds, each as often as it has its turn; lasting: children that a host keeps, which is the proxy
 */
export async function kindsOf(bashward, temporary) {
  const { run, createBashTool, BashSession, JobStore, probeSandbox } = bashward
  const mark = markOf(temporary)
  const context = { workingDir: '/' }
  const jobs = new JobStore({ directory: path.join(temporary, 'jobs'), maxJobs: MAX_JOBS })
  const tool = createBashTool({ jobs, termGraceMs: 100 })
  const patient = createBashTool({ jobs, backgroundAfter: 100 })
  const saved = path.join(temporary, 'saved')
  fs.mkdirSync(saved)
  let session = new BashSession(context)
  let sessionCalls = 0

  const kinds = {
    plain: async () =>
      expect(await tool.execute({ command: `${mark} echo ok` }, context), { output: 'ok\n', exitCode: 0 }),
    failed: async () =>
      expect(await run(`${mark} echo no >&2; exit 7`, { cwd: '/' }), { status: 'failed', exitCode: 7 }),
    streams: async () =>
      expect(await run(`${mark} echo out; echo err >&2`, { cwd: '/', streams: 'separate' }), {
        stdout: 'out\n',
        stderr: 'err\n',
      }),
    timeout: async () =>
      expect(
        await run(`${mark} setsid -f sleep 1000; sleep 1000`, { cwd: '/', timeout: 100, termGraceMs: 100 }),
        {
          status: 'timed_out',
        },
      ),
    cancelled: async () => {
      const controller = new AbortController()
      const onOutput = () => controller.abort()
      const options = { cwd: '/', cancelSignal: controller.signal, onOutput, termGraceMs: 100 }
      return expect(await run(`${mark} echo on; sleep 1000; :`, options), { status: 'cancelled' })
    },
    flood: async () =>
      expect(await run(`${mark} yes | head -c ${FLOOD_BYTES}`, { cwd: '/' }), {
        outputBytes: FLOOD_BYTES,
        truncated: true,
      }),
    saved: async () => {
      const saveOutput = { directory: saved }
      const result = await run(`${mark} yes | head -c ${FLOOD_BYTES}`, { cwd: '/', saveOutput })
      if (result.savedOutput !== undefined) fs.rmSync(result.savedOutput)
      return expect(result, { savedOutputBytes: FLOOD_BYTES })
    },
    daemon: async () =>
      expect(
        await run(`${mark} setsid -f sleep 1000 >/dev/null 2>&1; echo left`, {
          cwd: '/',
          survivors: 'kill',
          termGraceMs: 100,
        }),
        { output: 'left\n', status: 'completed' },
      ),
    session: async () => {
      // A new one now and then; its state may grow from call to call.
      if (sessionCalls++ % 50 === 0) session = new BashSession(context)
      const command = `${mark} count=$((count + 1)); f() { echo "$count"; }; cd /tmp; f > /dev/null; pwd`
      return expect(await tool.execute({ command }, { ...context, session }), {
        output: '/tmp\n',
        sessionUnsaved: undefined,
      })
    },
    background: async () => {
      const started = await tool.execute({ command: `${mark} echo job; exit 3`, mode: 'background' }, context)
      if (started.jobId === undefined) return expect(started, { status: 'background' })
      const job = await jobs.wait(started.jobId, { timeoutMs: 60_000 })
      return expect(job, { status: 'failed', exitCode: 3, lostBytes: 0 })
    },
    killed: async () => {
      const started = await tool.execute({ command: `${mark} sleep 1000; :`, mode: 'background' }, context)
      if (started.jobId === undefined) return expect(started, { status: 'background' })
      await jobs.kill(started.jobId)
      return expect(await jobs.wait(started.jobId, { timeoutMs: 60_000 }), { status: 'killed' })
    },
    adopted: async () => {
      const result = await tool.execute({ command: `${mark} (sleep .3; echo late) & echo now` }, context)
      if (result.jobId === undefined) return `no job: ${JSON.stringify(result.survivors)}`
      return expect(await jobs.wait(result.jobId, { timeoutMs: 60_000 }), { status: 'completed' })
    },
    handedOver: async () => {
      const command = `${mark} echo now; sleep .3; echo late; exit 3`
      const result = await patient.execute({ command }, context)
      if (result.jobId === undefined) return expect(result, { status: 'background' })
      return expect(await jobs.wait(result.jobId, { timeoutMs: 60_000 }), { status: 'failed', exitCode: 3 })
    },
    rejected: async () =>
      expect(await tool.execute({ command: 'true', mode: 'fast' }, context), { status: 'invalid' }),
    missing: async () =>
      expect(await tool.execute({ command: 'true' }, { workingDir: `${temporary}/none` }), {
        status: 'error',
      }),
  }
  const { available, workspace } = await probeSandbox()
  if (available) {
    kinds.restricted = async () =>
      expect(await run(`${mark} echo in; : > /etc/new`, { cwd: '/', sandbox: 'restricted' }), { exitCode: 1 })
    kinds.scratch = async () =>
      expect(
        await run(`${mark} mkdir -p "$TMPDIR/a/b"; echo text > "$TMPDIR/a/b/c"; cat "$TMPDIR/a/b/c"`, {
          cwd: '/',
          sandbox: 'restricted',
          scratch: true,
        }),
        { output: 'text\n', exitCode: 0 },
      )
  }
  if (workspace?.available) {
    const written = path.join(temporary, 'workspace')
    fs.mkdirSync(path.join(written, 'own'), { recursive: true })
    const secret = path.join(temporary, 'secret')
    fs.writeFileSync(secret, 'secret\n')
    // Several at a time: each has files of its own.
    let serial = 0
    kinds.workspace = async () => {
      const name = `file-${++serial}`
      const command = `${mark} echo text >${name}; chmod 600 ${name}; touch -d 2001-01-01 ${name}; chmod 777 /etc 2>/dev/null; stat -c %a ${name}; rm ${name}; echo x >"$TMPDIR/x"`
      const result = await run(command, { cwd: written, sandbox: 'workspace' })
      return expect(result, { output: '600\n', exitCode: 0 }) ?? expect(result.denials ?? {}, { length: 1 })
    }
    kinds.custom = async () => {
      const sandbox = { writable: ['own'], unreadable: [secret], protect: ['watched'] }
      const command = `${mark} mkdir own/d-$$; chmod 700 own/d-$$; rmdir own/d-$$; : 2>/dev/null >new; cat ${secret} 2>/dev/null || echo refused`
      return expect(await run(command, { cwd: written, sandbox }), { output: 'refused\n', sandbox: 'custom' })
    }
  }
  if (workspace?.available && has('perl')) {
    const command = `${mark} perl -e '${SERVER_AND_CLIENT}'`
    kinds.sockets = async () =>
      expect(await run(command, { cwd: '/', sandbox: { loopback: true } }), { output: 'served\n' })
  }
  let close = () => {}
  let lasting = 0
  if (workspace?.available && has('curl')) {
    const server = createServer((_, answer) => answer.end('listed\n')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    close = () => server.close()
    lasting = 1
    const { port } = server.address()
    const sandbox = { network: { domains: [`127.0.0.1:${port}`] } }
    const command = `${mark} curl -s http://127.0.0.1:${port}/; curl -so /dev/null -w '%{http_code}\n' http://127.0.0.1:1/`
    kinds.hosts = async () => {
      const result = await run(command, { cwd: '/', sandbox })
      return expect(result, { output: 'listed\n403\n' }) ?? expect(result.denials ?? {}, { length: 1 })
    }
  }
  // Small commands are most of what agents run.
  const weights = Object.keys(kinds).flatMap((name) => (name === 'plain' ? [name, name, name, name] : [name]))
  return { kinds, weights, lasting, tidy: () => jobs.cleanUp(), close }
}
