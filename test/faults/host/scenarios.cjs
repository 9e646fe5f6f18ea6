// The scenarios to run with a fault. The fault may hit `run`; `look` gives what is seen afterwards, reduced to what
// stays the same; a `cold` scenario is the first of its host.
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const { join } = require('node:path')

const { constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = fs

/** More than a pipe holds in one write, so that the engine has to hurry. */
const flood = 'dd if=/dev/zero bs=1M count=3 status=none; echo end'

/** The fields of a result that do not differ from run to run. */
const essence = (result) => {
  const { status, output, exitCode, signal, outputBytes, truncated, timeoutMs, limit } = result
  const { sessionUnsaved, savedOutputError, savedOutputBytes, error, survivors, jobId, enforced } = result
  const { backgroundError } = result
  return {
    status,
    output: output.length > 200 ? `${output.length} characters, ${output.slice(-20)}` : output,
    exitCode,
    signal,
    outputBytes,
    truncated,
    timeoutMs,
    limit,
    error,
    sessionUnsaved,
    savedOutputError,
    savedOutputBytes,
    backgroundError,
    survivors: survivors.map(({ daemon }) => (daemon ? 'daemon' : 'child')),
    job: jobId !== undefined,
    enforced: enforced.length,
  }
}

/** What a command waits for until the host lets it go on. It is opened before any fault. */
class Gate {
  constructor(path) {
    execFileSync('mkfifo', [path])
    this.command = `read -r line <'${path}'`
    this.fd = fs.openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  }
  open() {
    fs.writeSync(this.fd, '\n')
  }
  /** A command that was killed has left what it was to read. */
  close() {
    try {
      while (fs.readSync(this.fd, Buffer.alloc(16)) > 0);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

/** What stays in the foreground goes on after so long, milliseconds. */
const LONGEST_WAIT_MS = 1500

const scenariosOf = (bashward, temporary) => {
  const { run, createBashTool, BashSession, CallLedger, JobStore } = bashward
  const jobs = new JobStore({ directory: join(temporary, 'jobs') })
  const tool = createBashTool({ jobs, termGraceMs: 50 })
  const handingOver = createBashTool({ jobs, termGraceMs: 50, backgroundAfter: 100 })
  const gate = new Gate(join(temporary, 'gate'))
  /** Nothing ever comes from here. */
  const silence = join(temporary, 'silence')
  new Gate(silence)
  // What Node opens for its first watch it keeps; whether the warm-up has one depends on how soon its job ends.
  fs.watch(temporary).close()
  const next = async () => {
    const { status, output } = await run('echo next', { cwd: '/' })
    return status === 'completed' && output === 'next\n'
  }

  /** A scenario of one call. */
  const one = (start, also = (_result) => ({})) => {
    let result
    return {
      run: async () => {
        result = await start()
        return result
      },
      look: async () => ({ ...essence(result), ...(await also(result)) }),
      next,
    }
  }

  const jobOf = async ({ jobId }) => {
    if (jobId === undefined) return {}
    const job = await jobs.get(jobId)
    const { status, output, exitCode, signal, error } = await jobs.read(jobId)
    rmSync(join(temporary, 'jobs'), { recursive: true })
    return { finally: { status, output, exitCode, signal, error, lostBytes: job.lostBytes } }
  }
  const untilEnded = async (result) => {
    if (result.jobId !== undefined) await jobs.wait(result.jobId)
    return result
  }

  const session = () => {
    let current
    let result
    return {
      run: async () => {
        current = new BashSession({ workingDir: '/' })
        result = await tool.execute(
          { command: 'kept=value; echo set' },
          { workingDir: '/', session: current },
        )
        return result
      },
      look: async () => {
        const command = 'echo "$kept"'
        const later = await tool.execute({ command }, { workingDir: '/', session: current })
        return { ...essence(result), later: essence(later) }
      },
      next,
    }
  }

  const ledger = new CallLedger({ directory: join(temporary, 'calls'), durable: true })
  const remembering = createBashTool({ jobs, calls: ledger, termGraceMs: 50 })
  const runs = join(temporary, 'runs')

  /** A call that is sent again when the fault is over: it throws what is not true of either. */
  const marked = () => {
    let sent = 0
    let result
    const send = async () =>
      await remembering.execute(
        { command: `echo run >> '${runs}'; printf out; exit 3` },
        { workingDir: '/', toolCallId: `call ${sent}` },
      )
    const count = () => (fs.existsSync(runs) ? readFileSync(runs, 'utf8').length / 'run\n'.length : 0)
    return {
      run: async () => {
        sent += 1
        result = await send()
        return result
      },
      look: async () => {
        const before = count()
        const again = await send()
        const after = count()
        rmSync(runs, { force: true })
        const hasRun = ({ status }) => status === 'failed'
        const hasNot = ({ error }) => error?.code === 'ERR_NOT_STARTED'
        const isTrue =
          after <= 1 &&
          (!hasRun(result) || (before === 1 && hasRun(again) && again.replayed === true)) &&
          (!hasNot(result) || before === 0) &&
          (!hasRun(again) || after === 1) &&
          (!hasNot(again) || after === 0)
        if (!isTrue) throw new Error(JSON.stringify({ before, after, result, again }))
        return essence(result)
      },
      next,
    }
  }

  return {
    marked: marked(),
    plain: one(() => run('printf out; printf err >&2; exit 3', { cwd: '/' })),
    cold: { ...one(() => run('printf out; exit 3', { cwd: '/' })), cold: true },
    streams: one(
      () => run('printf out; printf err >&2', { cwd: '/', streams: 'separate' }),
      ({ stdout, stderr }) => ({ stdout, stderr }),
    ),
    flood: one(() => run(flood, { cwd: '/' })),
    saved: one(
      () => {
        mkdirSync(join(temporary, 'saved'), { recursive: true })
        const saveOutput = { directory: join(temporary, 'saved') }
        return run(flood, { cwd: '/', saveOutput })
      },
      ({ savedOutput }) => {
        const size = savedOutput === undefined ? undefined : readFileSync(savedOutput).length
        rmSync(join(temporary, 'saved'), { recursive: true })
        return { savedSize: size }
      },
    ),
    long: one(() => run(`# ${'x'.repeat(140_000)}\nexit 4`, { cwd: '/' })),
    timeout: one(() => run('sleep 100.25', { cwd: '/', timeout: 100 })),
    patient: one(() => run('echo out; sleep .05', { cwd: '/', timeout: 2000, termGraceMs: 50 })),
    cancelled: one(() => {
      const controller = new AbortController()
      return run("trap '' TERM; setsid -f sleep 100.25; echo on; sleep 100.25; sleep 100.25", {
        cwd: '/',
        termGraceMs: 50,
        cancelSignal: controller.signal,
        onOutput: () => controller.abort(),
      })
    }),
    daemons: one(() =>
      run('setsid -f sleep 100.25 >/dev/null 2>&1; echo on', {
        cwd: '/',
        survivors: 'kill',
        termGraceMs: 50,
      }),
    ),
    session: session(),
    background: one(
      async () =>
        untilEnded(
          await tool.execute(
            { command: 'echo begin; sleep .05; exit 5', mode: 'background' },
            { workingDir: '/' },
          ),
        ),
      jobOf,
    ),
    // One process: whether the shell has started a second one by the time it is looked for is chance.
    adopted: one(async () => {
      const command = `(read -rt .4 <'${silence}'; echo late) & echo now`
      return untilEnded(await tool.execute({ command }, { workingDir: '/' }))
    }, jobOf),
    handedOver: one(async () => {
      gate.close()
      const timer = setTimeout(() => gate.open(), LONGEST_WAIT_MS)
      const command = `echo begin; ${gate.command}; echo end; exit 6`
      const result = await handingOver.execute({ command }, { workingDir: '/' })
      clearTimeout(timer)
      // It is waited for while it runs: what Node opens for that, it keeps.
      const ended = untilEnded(result)
      if (result.jobId !== undefined) gate.open()
      return await ended
    }, jobOf),
    killed: one(async () => {
      const result = await tool.execute({ command: 'sleep 100.25', mode: 'background' }, { workingDir: '/' })
      if (result.jobId !== undefined) await jobs.kill(result.jobId)
      return result
    }, jobOf),
    restricted: one(() =>
      run('echo text > "$TMPDIR/file" && cat "$TMPDIR/file"; : 2>/dev/null > /etc/new', {
        cwd: '/',
        sandbox: 'restricted',
        scratch: true,
      }),
    ),
    unreadable: one(() => {
      // A directory of its own each time: what is kept of the rules for others does not do.
      const home = mkdtempSync(join(temporary, 'home-'))
      mkdirSync(join(home, 'keys'))
      writeFileSync(join(home, 'keys/key'), 'secret')
      writeFileSync(join(home, 'open'), 'open')
      const command = `cat keys/key 2>/dev/null || cat open`
      return run(command, { cwd: home, sandbox: { unreadable: ['keys'] } }).finally(() =>
        rmSync(home, { recursive: true }),
      )
    }),
  }
}

module.exports = { scenariosOf }
