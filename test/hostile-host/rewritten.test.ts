// Nothing of what a command has put in the place of the package's files is executed by the host that has it loaded.
import { removeTempDirs } from '../support/temp-dir.js'
import { harmless, passThrough, testTraced } from './passage.js'
import { entriesOf, hostWords } from './tables.js'
import { hostileWorld } from './world.js'

afterEach(removeTempDirs)

const ways = {
  overwrite: 'other bytes in the same files',
  truncate: 'empty files',
  replace: 'other files of the same names',
}

describe.each(Object.entries(ways))('%s (%s): a host', (rewrite) => {
  for (const entry of entriesOf('rewritten')) {
    testTraced(entry, async () => {
      const world = await hostileWorld()
      const words = hostWords(world, 'rewritten', entry, { rewrite, package: world.package })

      const passage = await passThrough(world, words)
      expect(passage).toMatchObject({ end: 0, ...harmless })
    })
  }
})
