// The compiler accepts the ts blocks of the pages.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { allPages, blocksOf } from './blocks.js'

afterAll(removeTempDirs)

const options =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2022 --module nodenext --types node'

test('they are right', () => {
  const project = tempDir()
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(packageRoot, join(project, 'node_modules/bashward'))
  symlinkSync(join(packageRoot, 'node_modules/@types'), join(project, 'node_modules/@types'))
  const files = allPages().flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'ts')
      .map(({ code, line }) => {
        const file = `${page.replaceAll('/', '-')}-line-${line}.mts`
        writeFileSync(join(project, file), code)
        return file
      }),
  )
  const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...options.split(' '), ...files], {
    cwd: project,
    encoding: 'utf8',
  })

  expect(files).not.toEqual([])
  expect(stdout + stderr).toBe('')
})
