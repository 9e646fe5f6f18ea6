// A host whose package is rewritten by a command of its own, while the host has it loaded.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import {
  BashSession,
  createBashSuite,
  createBashTool,
  JobStore,
  judgeCommand,
  probeSandbox,
  run,
} from 'bashward'
import { curious, harmless, modes, pause } from './commands.mjs'

const rewritten = async ({ project: cwd, outside, package: root, rewrite: HOW, works }) => {
  const script = readFileSync(new URL('./rewrite.sh', import.meta.url), 'utf8')
  const set = { HOW, PACKAGE: root, MARKS: `${outside}/marks` }
  const { output } = await works('rewrite', () => run(script, { cwd, sandbox: 'workspace', env: { set } }))
  if (!output.includes('rewritten')) throw new Error(output)
}

export const entries = {
  'goes on': async (world) => {
    const { project: workingDir, works } = world
    await rewritten(world)
    const session = new BashSession({ workingDir })
    for (const sandbox of modes) {
      await works(`${sandbox} run`, () => run(curious[sandbox], { cwd: workingDir, sandbox }))
      await works(`${sandbox} tool`, () =>
        createBashTool().execute({ command: harmless }, { workingDir, sandbox, session }),
      )
    }
    const { bash, bashOutput, killBash } = createBashSuite()
    const context = { workingDir, sandbox: 'workspace' }
    const { jobId: bash_id } = await works('job', () =>
      bash.execute({ command: pause, run_in_background: true }, context),
    )
    await works('output', () => bashOutput.execute({ bash_id }, context))
    await works('kill', () => killBash.execute({ bash_id }, context))
    await works('explain', () =>
      run('read -r line <fifo', { cwd: workingDir, timeout: 1_000, explain: true }),
    )
    await works('hosts', () =>
      run(harmless, {
        cwd: workingDir,
        sandbox: { writable: [workingDir], network: { domains: ['registry.example'] } },
      }),
    )
    await works('judge', () => judgeCommand('git log --format=%h | head -3', { workingDir }))
    await works('probe', () => probeSandbox())
    await works('jobs', () => new JobStore().list())
  },
  'imports an entry point later': async (world) => {
    await rewritten(world)
    // SECURITY.md names the others: they load with a framework, which is the command's by then as well.
    await world.works('ai', async () => Object.keys(await import('bashward/ai')).length)
    await world.works('cjs', () => createRequire(import.meta.url)('bashward/ai'))
  },
  'starts a thread that loads the package': async (world) => {
    await rewritten(world)
    const thread = new Worker(new URL('./thread.mjs', import.meta.url))
    await world.attempt(
      'thread',
      () => new Promise((resolve, reject) => thread.on('exit', resolve).on('error', reject)),
    )
  },
}
