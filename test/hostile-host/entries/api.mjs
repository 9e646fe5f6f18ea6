// The functions and classes of `bashward`. The name of an entry lists what it calls: `where: name name`.
import {
  attachLogger,
  BashSession,
  CallLedger,
  checkCommand,
  createBashSuite,
  createBashTool,
  createExecTool,
  eventText,
  filterEnvironment,
  importClaudeSettings,
  importCodexRules,
  JobStore,
  judgeCommand,
  loadPolicy,
  probeSandbox,
  protectHost,
  run,
  simplifyCommand,
} from 'bashward'
import { curious, drain, harmless, modes, pause } from './commands.mjs'

/** Each tool, in each mode. */
const callTool = async (tool, { project: workingDir, works }) => {
  for (const sandbox of modes) {
    const context = { workingDir, sandbox, conversationId: 'c' }
    const input = { command: curious[sandbox] }
    await works(`${sandbox} execute`, async () => tool.toText(await tool.execute(input, context)))
    await works(`${sandbox} stream`, () => drain(tool.stream(input, context)))
    await works(`${sandbox} description`, () => tool.description(context))
  }
}

export const entries = {
  'bashward: run': async ({ project: cwd, works }) => {
    for (const sandbox of modes) await works(sandbox, () => run(curious[sandbox], { cwd, sandbox }))
  },
  'bashward: run, with input': async ({ project: cwd, works }) => {
    await works('text', () => run('read -r line; echo "$line"', { cwd, input: 'a line\n' }))
  },
  'bashward: run, with start-up files': async ({ project: cwd, works }) => {
    for (const sandbox of ['restricted', 'workspace'])
      await works(sandbox, () => run(harmless, { cwd, sandbox, env: { login: true } }))
  },
  'bashward: run, with hosts': async ({ project: cwd, works }) => {
    const workspace = { writable: [cwd], network: { domains: ['registry.example'] } }
    await works('workspace', () => run(harmless, { cwd, sandbox: workspace }))
  },
  'bashward: run, with files of its own': async ({ project: cwd, works }) => {
    for (const sandbox of ['unrestricted', 'workspace']) {
      await works(sandbox, () =>
        run(`${harmless}; echo kept >"$TMPDIR/kept"`, {
          cwd,
          sandbox,
          saveOutput: true,
          scratch: sandbox === 'workspace',
        }),
      )
    }
  },
  'bashward: run, that is explained': async ({ project: cwd, works }) => {
    await works('explained', () => run('read -r line <fifo', { cwd, timeout: 1_500, explain: true }))
  },
  'bashward: createBashTool; createBashTool: description execute stream toText': async (world) =>
    await callTool(createBashTool(), world),
  'createBashTool: judge': async ({ project: workingDir, attempt }) => {
    const tool = createBashTool({ verdicts: {} })
    const session = new BashSession({ workingDir })
    for (const command of ['git status', 'cat plain', 'x=1', 'x=1; echo changed 1<victim >/dev/stdout']) {
      await attempt(`judge ${command}`, () => tool.judge({ command }, { workingDir, session }))
      await attempt(`execute ${command}`, async () =>
        tool.toText(await tool.execute({ command }, { workingDir, session })),
      )
    }
  },
  'bashward: createExecTool; createExecTool: description execute stream toText': async (world) => {
    const tool = createExecTool()
    // It inherits everything, as its page says.
    await callTool(
      {
        ...tool,
        execute: (_, context) => tool.execute({ command: harmless }, context),
        stream: (_, context) => tool.stream({ command: harmless }, context),
      },
      world,
    )
  },
  'bashward: createBashSuite; createBashSuite: bash bashOutput killBash bashInput': async ({
    project: workingDir,
    works,
  }) => {
    const { bash, bashOutput, killBash, bashInput } = createBashSuite({ tty: true })
    for (const sandbox of modes) {
      const context = { workingDir, sandbox }
      await works(`${sandbox} bash`, async () =>
        bash.toText(await bash.execute({ command: curious[sandbox] }, context)),
      )
      const job = await works(`${sandbox} job`, () =>
        bash.execute(
          { command: 'read -r line; echo "$line"; read -r line', tty: true, run_in_background: true },
          context,
        ),
      )
      await works(`${sandbox} input`, () => bashInput.execute({ bash_id: job.jobId, text: 'typed' }, context))
      await works(`${sandbox} output`, () => bashOutput.execute({ bash_id: job.jobId }, context))
      await works(`${sandbox} kill`, () => killBash.execute({ bash_id: job.jobId }, context))
    }
  },
  'bashward: BashSession; BashSession: restore snapshot workingDirIn': async ({
    project: workingDir,
    works,
  }) => {
    const tool = createBashTool()
    const key = Buffer.alloc(32, 1)
    for (const sandbox of modes) {
      const session = new BashSession({ workingDir })
      await works(`${sandbox} call`, () =>
        tool.execute(
          { command: `cd sub; x=1; f() { :; }; ${curious[sandbox]}` },
          { workingDir, sandbox, session },
        ),
      )
      await works(`${sandbox} directory`, () => session.workingDirIn(sandbox))
      const { data } = await works(`${sandbox} snapshot`, () => session.snapshot({ key }))
      const again = await BashSession.restore(data, { key })
      await works(`${sandbox} restored`, () =>
        tool.execute({ command: 'echo "$x $PWD"' }, { workingDir, sandbox, session: again }),
      )
    }
  },
  'bashward: JobStore eventText; JobStore: list get read explain wait watch open kill cleanUp': async ({
    project: workingDir,
    works,
    attempt,
  }) => {
    const jobs = new JobStore()
    const tool = createBashTool({ jobs })
    for (const sandbox of modes) {
      const command = `${curious[sandbox]}; ${pause}`
      const { jobId } = await works(`${sandbox} job`, () =>
        tool.execute({ command, mode: 'background' }, { workingDir, sandbox }),
      )
      await works('list', () => jobs.list())
      await works('get', () => jobs.get(jobId))
      await works('read', () => jobs.read(jobId))
      await works('explain', () => jobs.explain(jobId))
      await works('wait', () => jobs.wait(jobId, { timeoutMs: 100 }))
      await attempt('open', () => jobs.open(jobId).state())
      const told = jobs.watch({ jobId })
      const next = told.next()
      await works('kill', () => jobs.kill(jobId))
      await works('watch', async () => eventText((await next).value))
      await told.return()
      await works('cleanUp', () => jobs.cleanUp())
    }
  },
  'bashward: CallLedger; CallLedger: status attach cleanUp': async ({ project: workingDir, works }) => {
    const calls = new CallLedger()
    const tool = createBashTool({ calls })
    const context = { workingDir, sandbox: 'workspace', conversationId: 'c', toolCallId: 'one' }
    await works('call', () => tool.execute({ command: curious.workspace }, context))
    await works('again', () => tool.execute({ command: curious.workspace }, context))
    await works('status', () => calls.status({ callId: 'one', conversationId: 'c' }))
    await works('attach', () => calls.attach({ callId: 'one', conversationId: 'c' }))
    await works('cleanUp', () => calls.cleanUp())
  },
  'bashward: attachLogger': async ({ project: workingDir, works, tell }) => {
    const log = (...words) => tell('log', words)
    const detach = attachLogger({ debug: log, info: log, warn: log, error: log })
    await works('logged', () => createBashTool().execute({ command: harmless }, { workingDir }))
    detach()
  },
  'bashward: probeSandbox protectHost filterEnvironment': async ({ works }) => {
    await works('probe', () => probeSandbox())
    await works('environment', () => filterEnvironment(process.env))
    await works('protect', () => protectHost())
    await works('run', () => run(harmless, { cwd: '/' }))
  },
  'bashward: checkCommand judgeCommand simplifyCommand loadPolicy importClaudeSettings importCodexRules':
    async ({ project: workingDir, works }) => {
      const policy = loadPolicy({ rules: [{ prefix: ['npm', 'test'], decision: 'allow' }] })
      const settings = { permissions: { allow: ['Bash(npm test:*)'] } }
      for (const command of ['git add -A', 'git log', 'cat environ key', './bin/git status', 'npm test']) {
        await works(`check ${command}`, () => checkCommand(command, { workingDir }))
        await works(`judge ${command}`, () => judgeCommand(command, { workingDir, policy }))
        await works(`simplify ${command}`, () => simplifyCommand(command, workingDir))
      }
      await works('claude', () => importClaudeSettings(settings))
      await works('codex', () => importCodexRules('prefix_rule(pattern=["npm", "test"], decision="allow")'))
    },
}
