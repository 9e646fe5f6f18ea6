// The portable engine, which starts its shells and looks for processes with programs of the system.
import { BashSession, createBashTool, JobStore, run } from 'bashward'
import { harmless, pause } from './commands.mjs'

export const entries = {
  'bashward: run, on the portable engine': async ({ project: cwd, works }) => {
    await works('run', () => run(harmless, { cwd }))
    await works('separate', () =>
      run(harmless, { cwd, streams: 'separate', input: 'text', limits: { openFiles: 64 } }),
    )
    await works('timeout', () => run(pause, { cwd, timeout: 300 }))
  },
  'JobStore: list get read kill cleanUp, on the portable engine': async ({ project: workingDir, works }) => {
    const jobs = new JobStore()
    const session = new BashSession({ workingDir })
    const { jobId } = await works('job', () =>
      createBashTool({ jobs }).execute(
        { command: `${harmless}; ${pause}`, mode: 'background' },
        { workingDir, session },
      ),
    )
    await works('list', () => jobs.list())
    await works('get', () => jobs.get(jobId))
    await works('read', () => jobs.read(jobId))
    await works('kill', () => jobs.kill(jobId))
    await works('cleanUp', () => jobs.cleanUp())
  },
}
