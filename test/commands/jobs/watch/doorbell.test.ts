// Being told that something may have changed in the directories beside the jobs.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Doorbell } from '../../../../lib/commands/jobs/watch/doorbell.js'
import { watchPaths } from '../../../../lib/processes/engine/job-format/watch-layout.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'

afterAll(removeTempDirs)

// Most file systems give the next directory the number of the one that was removed.
test('a directory that is made anew rings, also with the same number', async () => {
  const root = join(tempDir(), 'jobs')
  const paths = watchPaths(root)
  let rings = 0
  const doorbell = new Doorbell(paths, () => {
    rings += 1
  })
  try {
    for (let round = 0; round < 5; round += 1) {
      rmSync(root, { recursive: true })
      for (const path of [paths.running, paths.ended]) mkdirSync(path, { recursive: true, mode: 0o700 })
      doorbell.check()
      // The first ring may still be that of the removal.
      for (const name of ['bash_1', 'bash_2']) {
        const before = rings
        writeFileSync(join(paths.ended, name), '')
        await waitFor(() => rings > before, { what: `${name} of round ${round}` })
      }
    }
  } finally {
    doorbell.close()
  }
})
