// A command in Workspace mode that goes on as a job: its broker goes on with it.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createBashTool } from '../../../lib/index.js'
import { tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { gate, leaveNothing, liveStore, textOf } from './live-jobs.js'

afterEach(leaveNothing)

const handedOver = async (before: string, after: string) => {
  const base = realpathSync(tempDir())
  const project = join(base, 'project')
  mkdirSync(project)
  mkdirSync(join(base, 'other'))
  const store = liveStore(join(tempDir(), 'jobs'))
  const { wait, open } = gate()
  const tool = createBashTool({ jobs: store, backgroundAfter: 1000 })
  const result = await tool.execute(
    { command: `${before}; ${wait}; ${after}` },
    { workingDir: project, sandbox: 'workspace' },
  )
  expect(result).toMatchObject({ status: 'background', sandbox: 'workspace' })
  open()
  const { jobId = '', outputFile = '' } = result
  await store.wait(jobId, { timeoutMs: 20_000 })
  return { base, result, job: await store.read(jobId), text: textOf(outputFile) }
}

testWorkspace('what the broker does goes on', async () => {
  const { text } = await handedOver(': >file; chmod 600 file', 'chmod 640 file && stat -c %a file')
  expect(text).toBe('640\n\n\n[background process completed]')
})

testWorkspace(
  'what was refused before is told with the result, and what is afterwards with the job',
  async () => {
    const { base, result, job } = await handedOver('chmod 700 ../other', 'chmod 711 ..; : >.envrc')
    expect(result.denials).toEqual([
      expect.objectContaining({ operation: 'chmod', target: join(base, 'other') }),
    ])
    expect(job.denials).toContainEqual({ operation: 'chmod', target: base })
    expect(job.protectedChanged).toEqual([join(base, 'project', '.envrc')])
  },
)

testWorkspace('its scratch directory stays until its end', async () => {
  const { text } = await handedOver('echo kept >"$TMPDIR/file"', 'cat "$TMPDIR/file"; echo "$TMPDIR"')
  expect(text).toMatch(/^kept\n\//)
})
