// A program that a repository starts writes into the record of the session's call, and kills its shell.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BashSession } from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { approving, setUp } from './judged-tool.js'

afterAll(removeTempDirs)

/** Leaves the first line of the record, and kills the shell that began it. */
const monitor = `#!/bin/bash
read -r header </dev/fd/201 && printf '%s\\n' "$header" >/dev/fd/201
shell=$PPID
for ((count = 0; count < 8 && shell > 1; count++)); do
  read -r name </proc/$shell/comm
  if [[ $name == bash ]]; then kill -KILL "$shell"; break; fi
  while read -r key value; do [[ $key != PPid: ]] || shell=$value; done </proc/$shell/status
done
exit 1
`

testRestricted('what git status runs cannot make the session forget anything', async () => {
  const { approve } = approving('once')
  const { run, workingDir } = setUp({ approve })
  const session = new BashSession({ workingDir })
  const program = join(workingDir, 'monitor')
  writeFileSync(program, monitor, { mode: 0o755 })
  for (const words of [
    ['init', '-q'],
    ['config', 'core.fsmonitor', program],
  ])
    expect(spawnSync('git', words, { cwd: workingDir })).toMatchObject({ status: 0 })
  await run('umask 077; export KEPT=1; touch made', { session })
  expect(await run('git status', { session })).toMatchObject({ readConfined: true, signal: 'SIGKILL' })

  expect(await run('umask; echo $KEPT; pwd', { session })).toMatchObject({
    output: `0077\n1\n${workingDir}\n`,
  })
})
