// Saved output that a command has put something else in the place of.

import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnFile } from '../../../lib/base/util/regular-file.js'
import { run } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

/** The ends of a long output are given anyway. */
const filler = 'x\n'.repeat(100_000)

/** Prints 2 MB, and exchanges the file they are saved in as soon as that is there. */
const exchanging = (by: string) => `
  seq 150000; echo 'error: of its own'; seq 150000
  for ((round = 0; round < 1000; round++)); do
    for file in bashward-output-*; do [[ -e $file ]] && break 2; done
    sleep 0.01
  done
  rm "$file"; ${by} "$file"; seq 10`

test.each([
  ['a link to a file that the command cannot read', 'ln -s ../outside'],
  ['a pipe', 'mkfifo'],
])('%s is not searched for lines of errors', async (_, by) => {
  const base = realpathSync(tempDir())
  const directory = join(base, 'saved')
  mkdirSync(directory)
  writeFileSync(join(base, 'outside'), `${filler}error: the secret of the host\n${filler}`)
  const options = { saveOutput: { directory }, errorLines: true, timeout: 20_000 } as const
  const result = await run(exchanging(by), { cwd: directory, ...options })

  expect(result.status).toBe('completed')
  expect(JSON.stringify(result)).not.toContain('the secret of the host')
})

test('a file of the host is opened only if it is one, by its only name', async () => {
  const directory = tempDir()
  const at = (name: string) => join(directory, name)
  writeFileSync(at('file'), 'text')
  const file = await openOwnFile(at('file'))
  expect(await file.readFile('utf8')).toBe('text')
  await file.close()
  symlinkSync('file', at('link'))
  execFileSync('mkfifo', [at('pipe')])

  await expect(openOwnFile(at('link'))).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(openOwnFile(at('pipe'))).rejects.toMatchObject({ code: 'ERR_NO_REGULAR_FILE' })
  await expect(openOwnFile(directory)).rejects.toMatchObject({ code: 'ERR_NO_REGULAR_FILE' })
  linkSync(at('file'), at('other'))
  await expect(openOwnFile(at('file'))).rejects.toMatchObject({ code: 'ERR_NO_REGULAR_FILE' })
})
