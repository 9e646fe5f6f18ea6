// bashward/acp: what is writable is for the client to say, wherever its agent has a command run.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxMode, SandboxPolicy } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { sessionId, withTerminals } from './acp-client.js'

afterEach(removeTempDirs)

const policies: [string, SandboxMode | SandboxPolicy, Partial<SandboxPolicy>?][] = [
  ['Workspace mode', 'workspace'],
  ['Workspace mode with directories', 'workspace', { writable: ['.'] }],
  ['a policy', { writable: ['.'] }],
]

for (const [name, sandbox, workspace] of policies) {
  testWorkspace(
    `with ${name} the directory that an agent names is not what its commands can write`,
    async () => {
      const base = realpathSync(tempDir())
      const [workingDir, other] = [join(base, 'project'), join(base, 'other')]
      mkdirSync(workingDir)
      mkdirSync(other)
      await withTerminals({ workingDir, sandbox, workspace }, async ({ agentSide }) => {
        const command = `touch ${workingDir}/mine; touch ${other}/planted; pwd`
        for (const cwd of [undefined, other, base]) {
          const terminal = await agentSide.createTerminal({ sessionId, command, ...(cwd && { cwd }) })
          await terminal.waitForExit()

          expect((await terminal.currentOutput()).output).toContain(`${cwd ?? workingDir}\n`)
        }
      })

      expect(existsSync(join(workingDir, 'mine'))).toBe(true)
      expect(existsSync(join(other, 'planted'))).toBe(false)
    },
  )
}

testWorkspace('the unreadable paths of a policy are those of the client, too', async () => {
  const base = realpathSync(tempDir())
  const [workingDir, other] = [join(base, 'project'), join(base, 'deep/er/other')]
  for (const directory of [workingDir, join(base, 'keys'), other]) mkdirSync(directory, { recursive: true })
  writeFileSync(join(base, 'keys', 'key'), 'secret')
  const sandbox = { writable: ['.'], unreadable: ['../keys'] }
  await withTerminals({ workingDir, sandbox }, async ({ agentSide }) => {
    const command = `cat ${base}/keys/key`
    const terminal = await agentSide.createTerminal({ sessionId, command, cwd: other })
    const { exitCode } = await terminal.waitForExit()

    expect(exitCode).toBe(1)
    expect((await terminal.currentOutput()).output).not.toContain('secret')
  })
})
