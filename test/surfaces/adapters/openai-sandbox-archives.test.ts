// Archives that become the workspace of openaiSandbox(): their limits.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { closeSessions, sessionOf } from './openai-sandbox-agent.js'

afterEach(async () => {
  await closeSessions()
  await endJobs()
  removeTempDirs()
})

/** @param owner as GNU tar takes it: a name and a number */
const archiveOf = (owner: string): Buffer => {
  const directory = tempDir()
  writeFileSync(join(directory, 'large'), Buffer.alloc(200_000))
  const options = [`--owner=${owner}`, `--group=${owner}`, '--format=gnu']
  return execFileSync('tar', [...options, '-cf', '-', '-C', directory, './large'])
}

for (const owner of ['user:1000', 'a 0:0', 'a -99999999:0', ' 0 0 0 :0', 'a\n- b/c 0:0', 'a\tb 1:2000000']) {
  testWorkspace(`the bytes of files are counted where the owner is ${JSON.stringify(owner)}`, async () => {
    const session = await sessionOf()
    const hydrated = session.hydrateWorkspace(archiveOf(owner), {
      archiveLimits: { maxExtractedBytes: 100_000 },
    })

    await expect(hydrated).rejects.toThrow('The archive has 200000 bytes of files, and may have 100000')
    expect(readdirSync(session.state.workspaceRootPath)).toEqual([])
  })
}
