// The first thing that a newcomer copies has to work, and print what the README says.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobStore } from '../lib/index.js'
import { packageRoot } from './support/as-user.js'
import { removeTempDirs, tempDir } from './support/temp-dir.js'

afterAll(removeTempDirs)

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
const block = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ''

test('the six lines of the README print what it says', async () => {
  const script = block('js')
  expect(script.trim().split('\n')).toHaveLength(6)

  const stateHome = tempDir()
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: packageRoot,
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: stateHome },
  })
  const directory = join(stateHome, 'bashward/jobs')
  const store = new JobStore({ directory })
  const jobs = await store.list()
  for (const { id } of jobs) await store.kill(id)

  expect(stderr).toBe('')
  expect(jobs).toHaveLength(1)
  const pid = /\bkill (\d+)\]/.exec(stdout)?.[1] ?? ''
  const shown = stdout
    .replaceAll(directory, '~/.local/state/bashward/jobs')
    .replaceAll(jobs[0]?.id ?? '', 'bash_k3v9x2')
    .replaceAll(pid, '4711')
  expect(shown.trimEnd()).toBe(block('text').trimEnd())
})

test('bashward check says of the commands in the README what it says there', () => {
  const example =
    /^\$ npx (bashward check '.*'; echo "status \$\?")\n([^$]*)\$ (.*\| )npx (bashward.*)\n([\s\S]*?)```/m
  const [, first = '', verdict, input = '', second = '', answers = ''] = example.exec(readme) ?? []
  const bin = `'${process.execPath}' '${join(packageRoot, 'dist/cli/bin.js')}'`
  const print = (line: string) => {
    const script = line.replace('bashward', bin)
    return spawnSync('bash', ['--norc', '-c', script], { cwd: tempDir(), encoding: 'utf8' }).stdout
  }

  expect(print(first)).toBe(verdict)
  expect(print(input + second).replace(/(push.*"message":").*(?="})/, '$1…')).toBe(answers)
})
