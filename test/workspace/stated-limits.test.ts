// What SECURITY.md says that Workspace mode does not do. If one of these fails, the page may promise more.
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { attackPath } from './attack-program.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const setIdOf = (path: string) => statSync(path).mode & 0o6000

testWorkspace('set-id bits survive a write through a shared mapping, and no other write', async () => {
  const program = attackPath()
  if (program === undefined) return cannotTest('there is no C compiler')
  const cwd = realpathSync(tempDir())
  for (const name of ['mapped', 'written', 'truncated']) {
    writeFileSync(join(cwd, name), 'content')
    chmodSync(join(cwd, name), 0o4755)
  }
  await run(`'${program}' write-mapped mapped; echo more >>written; : >truncated`, {
    cwd,
    sandbox: 'workspace',
  })

  expect(readFileSync(join(cwd, 'mapped'), 'utf8')).toBe('!ontent')
  expect(['mapped', 'written', 'truncated'].map((name) => setIdOf(join(cwd, name)))).toEqual([0o4000, 0, 0])
})

testWorkspace('targets of links and extended attributes in an unreadable directory can be read', async () => {
  const program = attackPath()
  if (program === undefined) return cannotTest('there is no C compiler')
  const home = realpathSync(tempDir())
  const [cwd, keys] = [join(home, 'project'), join(home, 'keys')]
  for (const directory of [cwd, keys]) mkdirSync(directory)
  writeFileSync(join(keys, 'key'), 'secret')
  symlinkSync('the-target', join(keys, 'link'))
  const set = await run(`'${program}' set-attribute-named user.note keys/key`, { cwd: home })
  if (set.status !== 'completed') return cannotTest('no extended attributes here')

  const command = `readlink '${keys}/link'; '${program}' get-attribute-named user.note '${keys}/key' && echo found; cat '${keys}/key'`
  const { output } = await run(command, { cwd, sandbox: 'workspace', workspace: { unreadable: [keys] } })
  expect(output).toContain('the-target')
  expect(output).toContain('found')
  expect(output).not.toContain('secret')
})
