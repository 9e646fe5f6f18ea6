// Where the scratch directory is made, how large it may become, and what is said when it cannot be made.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const restricted = { cwd: '/', sandbox: 'restricted', timeout: 30_000, termGraceMs: 200 } as const
const mib = 1024 ** 2

testRestricted('is made in the directory that is named, and nothing of it stays', async () => {
  const directory = tempDir()
  const command = 'mkdir -p "$TMPDIR/a/b"; echo x >"$TMPDIR/a/b/c"; ln -s / "$TMPDIR/root"; echo "$TMPDIR"'
  const { output } = await run(command, { ...restricted, scratch: { directory } })

  expect(output).toMatch(new RegExp(`^${directory}/bashward-scratch-[0-9a-f]{16}\n$`))
  expect(readdirSync(directory)).toEqual([])
  expect(existsSync('/etc/passwd')).toBe(true)
})

testRestricted('is another one for each command', async () => {
  const options = { ...restricted, scratch: { directory: tempDir() } }
  const [one, two] = await Promise.all([1, 2].map(() => run('echo "$TMPDIR"; ls -A "$TMPDIR"', options)))

  expect(one?.output).not.toBe(two?.output)
})

testRestricted('is gone also after a timeout', async () => {
  const directory = tempDir()
  const command = 'mkdir -m 000 "$TMPDIR/closed"; echo x >"$TMPDIR/file"; sleep 30'
  const result = await run(command, { ...restricted, timeout: 500, scratch: { directory } })

  expect(result).toMatchObject({ status: 'timed_out' })
  expect(readdirSync(directory)).toEqual([])
})

testRestricted(
  'in many files that are too much: the command is killed, and the result names the limit',
  async () => {
    const command = 'echo on; for i in {1..1000}; do head -c 300000 /dev/zero >"$TMPDIR/$i"; sleep 0.01; done'
    const result = await run(command, { ...restricted, scratch: { maxBytes: mib } })

    expect(result).toMatchObject({ status: 'failed', output: 'on\n', limit: 'scratch', limitValue: mib })
  },
)

testRestricted('in one file that is too much: the file ends at the limit', async () => {
  const command = 'head -c 2000000 /dev/zero >"$TMPDIR/file"; echo $?; stat -c %s "$TMPDIR/file"; exit 153'
  const result = await run(command, { ...restricted, scratch: { maxBytes: mib } })

  expect(result).toMatchObject({
    output: expect.stringMatching(/^(?:.*\n)?153\n1048576\n$/),
    limit: 'scratch',
  })
})

testRestricted('that cannot be made: the command has not run', async () => {
  const directory = join(tempDir(), 'missing')
  const scratch = { directory }

  await expect(run('true', { ...restricted, scratch })).rejects.toMatchObject({
    code: 'ERR_SANDBOX_SETUP',
    step: 'mkdir scratch',
    path: expect.stringContaining(directory),
    message: expect.stringMatching(/^mkdir scratch .*: ENOENT \(no such file or directory\)$/),
  })
})

testRestricted('of a command that cannot be started is gone too', async () => {
  const directory = tempDir()
  const missing = join(tempDir(), 'missing')

  await expect(run('true', { ...restricted, cwd: missing, scratch: { directory } })).rejects.toMatchObject({
    code: 'ERR_WORKING_DIR',
  })
  expect(readdirSync(directory)).toEqual([])
})

testRestricted('lets the command move files within it, and not into or out of it', async () => {
  const outside = tempDir()
  writeFileSync(join(outside, 'file'), 'kept')
  mkdirSync(join(outside, 'folder'))
  const command = [
    'cd "$TMPDIR"; mkdir one two; echo x >one/x; mv one/x two/x; ln two/x one/y; cat one/y',
    `mv '${outside}/file' one/ && echo taken; mv two/x '${outside}/folder/' && echo given`,
    `ln '${outside}/file' one/link && echo linked; cp '${outside}/file' one/copy && cat one/copy; exit 1`,
  ].join('\n')
  const { output } = await run(command, { ...restricted, scratch: true })

  expect(output).toMatch(/^x\n/)
  expect(output).not.toMatch(/^(?:taken|given|linked)$/m)
  expect(output).toMatch(/kept$/)
  expect(readdirSync(outside).sort()).toEqual(['file', 'folder'])
  expect(readdirSync(join(outside, 'folder'))).toEqual([])
  rmSync(outside, { recursive: true })
})
