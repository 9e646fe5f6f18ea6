// What answers calls knows the writable directories by descriptors: another one that has taken a name is not written to.
import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

/** Runs a command that changes modes after the host has moved its workspace away and `replace`d it. */
const runReplaced = async (replace: (workspace: string, outside: string) => void) => {
  const directory = tempDir()
  const workspace = join(directory, 'workspace')
  const outside = join(directory, 'outside')
  for (const path of [workspace, outside]) {
    mkdirSync(path)
    writeFileSync(join(path, 'file'), '', { mode: 0o644 })
  }
  let replaced = false
  const onOutput = () => {
    if (replaced) return
    replaced = true
    renameSync(workspace, join(directory, 'moved'))
    replace(workspace, outside)
    writeFileSync(join(directory, 'moved/go'), '')
  }
  const command = `echo on; until [ -e go ]; do sleep .02; done
chmod 600 '${workspace}/file' 2>/dev/null && echo by name
touch -d 2001-01-01 '${workspace}/file' 2>/dev/null && echo time by name
echo x 2>/dev/null >'${workspace}/new' && echo new by name
chmod 640 file && echo in place; exit 0`
  const result = await run(command, { cwd: workspace, sandbox: 'workspace', timeout: 30_000, onOutput })
  return { result, directory }
}

testWorkspace('a directory that has taken the place of the workspace is not written to', async () => {
  let victim = ''
  const { result, directory } = await runReplaced((workspace, outside) => {
    renameSync(outside, workspace)
    victim = join(workspace, 'file')
  })

  expect(result.output).not.toContain('by name')
  expect(modeOf(victim)).toBe('644')
  expect(statSync(victim).mtimeMs).toBeGreaterThan(Date.UTC(2020, 0))
  // Whether its own files can be reached still is another question: nothing else may have been changed.
  expect(['640', '644']).toContain(modeOf(join(directory, 'moved/file')))
})

testWorkspace(
  'a symbolic link that has taken the place of the workspace is not followed out of it',
  async () => {
    let victim = ''
    const { result } = await runReplaced((workspace, outside) => {
      symlinkSync(outside, workspace)
      victim = join(outside, 'file')
    })

    expect(result.output).not.toContain('by name')
    expect(modeOf(victim)).toBe('644')
    expect(statSync(victim).mtimeMs).toBeGreaterThan(Date.UTC(2020, 0))
  },
)

test('without a sandbox it is written to', async () => {
  const directory = tempDir()
  const workspace = join(directory, 'workspace')
  const outside = join(directory, 'outside')
  for (const path of [workspace, outside]) mkdirSync(path)
  writeFileSync(join(outside, 'file'), '', { mode: 0o644 })
  renameSync(workspace, join(directory, 'moved'))
  renameSync(outside, workspace)
  await run(`chmod 600 '${workspace}/file'`, { cwd: join(directory, 'moved') })

  expect(modeOf(join(workspace, 'file'))).toBe('600')
})
