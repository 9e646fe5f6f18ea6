// Whoever needs no terminal loads nothing of what shows one.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { binPath, killPrograms, startProgram } from '../program.js'

afterEach(async () => {
  await killPrograms()
  removeTempDirs()
})

/** What a program has loaded at its end, of what is about terminals. */
const loadedBy = async (args: string[]): Promise<string[]> => {
  const directory = tempDir()
  const [hook, list] = [join(directory, 'hook.cjs'), join(directory, 'list')]
  const code = `process.on('exit', () => require('fs').writeFileSync('${list}', JSON.stringify(
    [...Object.keys(require.cache), ...process.moduleLoadList])))`
  writeFileSync(hook, code)
  await startProgram(process.execPath, ['--require', hook, ...args], { cwd: packageRoot }).exited()
  const names = JSON.parse(readFileSync(list, 'utf8')) as string[]
  return names.filter((name) => /dist\/(?:cli\/)?terminal\//.test(name))
}

test.each([
  ["require('bashward')", ['-e', "require('bashward')"]],
  ['bashward run', [binPath, 'run', 'true']],
  ['bashward jobs', [binPath, 'jobs']],
  ['bashward jobs output', [binPath, 'jobs', 'output', 'bash_zzzzzz']],
])('%s', async (_, args) => {
  expect(await loadedBy(args)).toEqual([])
})
