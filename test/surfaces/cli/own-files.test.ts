// What commands can change so that something else starts the next time: bashward --strict names it, and does not run.
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyPackage, packageRoot } from '../../support/as-user.js'
import { prefixWithMount } from '../../support/mounts.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { killPrograms, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const bin = join(packageRoot, 'dist/cli/bin.js')

/** A project that commands can write to, and a directory beside it that they cannot. */
const places = () => {
  const top = realpathSync(tempDir())
  const [project, beside] = [join(top, 'project'), join(top, 'beside')]
  mkdirSync(project)
  mkdirSync(beside)
  return { project, beside }
}

const strict = (project: string) => ['run', '--strict', '--workspace', project, 'echo ran']

const outcomeOf = async ([program = '', ...words]: string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await startProgram(program, words, { env }).exited()
  return { code, stdout, path: / and so to (.*): whoever starts it/.exec(stderr)?.[1] }
}

const refused = (path: string) => ({ code: 125, stdout: '', path })

testWorkspace('a link in the middle of the chain', async () => {
  const { project, beside } = places()
  symlinkSync(bin, join(project, 'middle'))
  symlinkSync(join(project, 'middle'), join(beside, 'bashward'))

  expect(await outcomeOf([process.execPath, join(beside, 'bashward'), ...strict(project)])).toEqual(
    refused(join(project, 'middle')),
  )
})

testWorkspace('a link to a directory on the way', async () => {
  const { project, beside } = places()
  symlinkSync(packageRoot, join(project, 'package'))
  symlinkSync(join(project, 'package/dist/cli/bin.js'), join(beside, 'bashward'))

  expect(await outcomeOf([process.execPath, join(beside, 'bashward'), ...strict(project)])).toEqual(
    refused(join(project, 'package')),
  )
})

testWorkspace('a directory that the way leaves again', async () => {
  const { project, beside } = places()
  const inside = join(project, 'inside')
  mkdirSync(inside)
  symlinkSync(bin, join(beside, 'bin'))
  symlinkSync(`${inside}/../../beside/bin`, join(beside, 'bashward'))

  expect(await outcomeOf([process.execPath, join(beside, 'bashward'), ...strict(project)])).toEqual(
    refused(inside),
  )
})

testWorkspace('a link by which Node is started', async () => {
  const { project } = places()
  symlinkSync(process.execPath, join(project, 'node'))

  expect(await outcomeOf([join(project, 'node'), bin, ...strict(project)])).toEqual(
    refused(join(project, 'node')),
  )
})

testWorkspace('a place on PATH where another Node would be found first', async () => {
  const { project } = places()
  const PATH = `${join(project, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`

  expect(await outcomeOf([bin, ...strict(project)], { PATH })).toEqual(refused(join(project, 'bin/node')))
})

testWorkspace('a dependency', async () => {
  const { project, beside } = places()
  copyPackage(join(beside, 'bashward'))
  const dependency = join(beside, 'bashward/node_modules/re2js')
  renameSync(dependency, join(project, 're2js'))
  symlinkSync(join(project, 're2js'), dependency)

  expect(
    await outcomeOf([process.execPath, join(beside, 'bashward/dist/cli/bin.js'), ...strict(project)]),
  ).toEqual(refused(join(project, 're2js')))
})

testWorkspace('what Node loads before the program', async () => {
  const { project } = places()
  const file = join(project, 'before.cjs')
  writeFileSync(file, '')
  const start = [bin, ...strict(project)]

  expect(await outcomeOf([process.execPath, '--require', file, ...start])).toEqual(refused(file))
  expect(await outcomeOf([process.execPath, ...start], { NODE_OPTIONS: `--import=file://${file}` })).toEqual(
    refused(file),
  )
})

testWorkspace('what only `import` finds', async () => {
  const { project } = places()
  const module = join(project, 'node_modules/before')
  mkdirSync(module, { recursive: true })
  writeFileSync(join(module, 'package.json'), '{"name":"before","exports":{"import":"./index.mjs"}}')
  writeFileSync(join(module, 'index.mjs'), '')
  const words = ['--import', 'before', bin, ...strict(project)]
  const { stderr } = await startProgram(process.execPath, words, { cwd: project }).exited()

  expect(stderr).toContain(`and so to ${module}: whoever`)
})

testWorkspace('what configures OpenSSL, and options with underscores', async () => {
  const { project } = places()
  const file = join(project, 'file.mjs')
  writeFileSync(file, '')
  const start = [process.execPath, bin, ...strict(project)]

  expect(await outcomeOf(start, { OPENSSL_CONF: file })).toEqual(refused(file))
  expect(await outcomeOf(start, { NODE_COMPILE_CACHE: join(project, 'cache') })).toEqual(
    refused(join(project, 'cache')),
  )
  expect(await outcomeOf(start, { NODE_OPTIONS: `--experimental_loader=${file}` })).toEqual(refused(file))
})

for (const part of ['dist/session', 'node_modules/re2js'])
  testWorkspace(`its own part ${part}`, async () => {
    const { beside } = places()
    copyPackage(join(beside, 'bashward'))
    const root = realpathSync(join(beside, 'bashward', part))
    const program = join(beside, 'bashward/dist/cli/bin.js')

    expect(await outcomeOf([process.execPath, program, ...strict(root)])).toEqual(refused(root))
  })

testWorkspace('a directory of libraries', async () => {
  const { project } = places()
  const LD_LIBRARY_PATH = join(project, 'lib')

  expect(await outcomeOf([process.execPath, bin, ...strict(project)], { LD_LIBRARY_PATH })).toEqual(
    refused(LD_LIBRARY_PATH),
  )
})

testWorkspace('a mount of what lies there', async () => {
  const { project, beside } = places()
  const modules = join(project, 'node_modules')
  copyPackage(join(modules, 'bashward'))
  const prefix = prefixWithMount(modules, beside)
  if (prefix === undefined) return cannotTest('nothing can be mounted')
  const program = join(beside, 'bashward/dist/cli/bin.js')

  expect(await outcomeOf([...prefix, process.execPath, program, ...strict(project)])).toEqual(
    refused(join(modules, 'bashward/dist/cli/bin.js')),
  )
})

testWorkspace('a mount of the directory that commands can write to', async () => {
  const { project, beside } = places()
  copyPackage(join(beside, 'bashward'))
  const prefix = prefixWithMount(beside, project)
  if (prefix === undefined) return cannotTest('nothing can be mounted')
  const program = join(beside, 'bashward/dist/cli/bin.js')

  expect(await outcomeOf([...prefix, process.execPath, program, ...strict(project)])).toMatchObject({
    code: 125,
    stdout: '',
  })
})
