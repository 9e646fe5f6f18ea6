// The gate sees what it is there for: hosts that do each thing that none may do.
import { join } from 'node:path'
import { removeTempDirs } from '../support/temp-dir.js'
import { type FullPassage, harmless, type PassageOptions, passThrough, testTraced } from './passage.js'
import { hostileWorld, type World } from './world.js'

let world: World

beforeAll(async () => {
  world = await hostileWorld()
})

afterAll(removeTempDirs)

const host = (program: string, options?: PassageOptions): Promise<FullPassage> =>
  passThrough(world, [process.execPath, '-e', program], options)

testTraced('a host that does nothing is harmless', async () => {
  expect(await host('')).toMatchObject({ end: 0, ...harmless })
})

testTraced('a program that is found on PATH is seen, with the marks that it leaves', async () => {
  const { executed, changed } = await host(`require('node:child_process').spawnSync('bash', ['-c', ':'])`)

  expect(executed).toContainEqual(expect.stringMatching(/^host: .*node_modules\/\.bin\/bash$/))
  expect(changed).toContain('outside/marks')
})

testTraced('a program that is found nowhere planted is seen, too', async () => {
  const { executed } = await host(`require('node:child_process').spawnSync('/usr/bin/id')`)

  expect(executed).toEqual(['host: /usr/bin/id'])
})

testTraced('a supervisor that executes a planted bash is seen', async () => {
  const shellPath = join(world.project, 'bin/bash')
  const program = `require('${world.package}').run('echo', { cwd: '/', shellPath: '${shellPath}' })`
  const { executed } = await host(program)

  expect(executed).toEqual([`supervisor: ${shellPath}`])
})

testTraced('a file outside that a link led to is seen', async () => {
  const { changed } = await host(`require('node:fs').writeFileSync('victim', 'changed')`)

  expect(changed).toEqual(['outside/victim'])
})

testTraced('a secret that is printed is seen', async () => {
  const { leaked } = await host(`console.error(require('node:fs').readFileSync('environ', 'latin1'))`)

  expect(leaked).toEqual([expect.stringMatching(/^stderr: /)])
})

testTraced('a secret that is written to where commands read is seen', async () => {
  const { leaked } = await host(`require('node:fs').writeFileSync('tmp/kept', process.env.API_TOKEN)`)

  expect(leaked).toEqual([join(world.project, 'tmp/kept')])
})
