// A file without a name cannot be looked up: one of the workspace can be changed all the same, and none that others have
// taken a name from.
import { linkSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

testWorkspace('the mode and the times of a deleted file of the workspace can be changed', async () => {
  const command = `umask 077; exec 5<>mine; rm mine
chmod 640 /proc/self/fd/5 && touch -d @981173106 /proc/self/fd/5 && stat -L -c '%a %Y' /proc/self/fd/5`
  const { output } = await run(command, { cwd: tempDir(), sandbox: 'workspace' })

  expect(output).toBe('640 981173106\n')
})

/** Opens `name` in a directory outside, changes the mode of what it has open once the host has removed that name. */
const changeRemoved = async (sandbox: 'workspace' | 'unrestricted') => {
  const workspace = tempDir()
  const outside = tempDir()
  const kept = join(outside, 'kept')
  const name = join(outside, 'name')
  writeFileSync(kept, '', { mode: 0o644 })
  linkSync(kept, name)
  let removed = false
  const onOutput = () => {
    if (removed) return
    removed = true
    unlinkSync(name)
    writeFileSync(join(workspace, 'go'), '')
  }
  const command = `exec 5<'${name}'; echo on; until [ -e go ]; do sleep .02; done
chmod 600 /proc/self/fd/5 2>/dev/null && echo changed; :`
  const { output } = await run(command, { cwd: workspace, sandbox, onOutput, timeout: 30_000 })
  return { output, mode: modeOf(kept) }
}

testWorkspace('a file outside that has lost one of its names cannot be changed', async () => {
  expect(await changeRemoved('workspace')).toEqual({ output: 'on\n', mode: '644' })
})

test('without a sandbox it can', async () => {
  expect(await changeRemoved('unrestricted')).toEqual({ output: 'on\nchanged\n', mode: '600' })
})
