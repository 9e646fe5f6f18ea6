// Which of the addons that a package holds is loaded.
import fs from 'node:fs'
import { join } from 'node:path'
import { platformName } from '../../../../lib/processes/engine/native/addon-files.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { emptyPackage, packageWith, prebuildsIn, putAddon, putSupervisor, sayHello } from './installed.js'

afterEach(removeTempDirs)

const greeting = { output: 'hello\n' }

test('a prebuilt addon is loaded where nothing was built', () => {
  expect(sayHello(packageWith({ 'bashward.glibc.node': 'working' }))).toEqual(greeting)
})

test('the build of a checkout comes before a prebuilt one', () => {
  const root = packageWith({ 'bashward.glibc.node': 'broken', 'bashward.musl.node': 'broken' })
  putAddon(join(root, 'build/Release/bashward.node'), 'working')
  putSupervisor(join(root, 'build/Release'))

  expect(sayHello(root)).toEqual(greeting)
})

test('a prebuilt one is loaded when the build of a checkout does not load', () => {
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  putAddon(join(root, 'build/Release/bashward.node'), 'broken')
  putSupervisor(join(root, 'build/Release'))

  expect(sayHello(root)).toEqual(greeting)
})

test.each([
  ['musl', 'glibc'],
  ['glibc', 'musl'],
])('the addon for the other C library is tried when that for %s does not load', (broken, working) => {
  const root = packageWith({ [`bashward.${broken}.node`]: 'broken', [`bashward.${working}.node`]: 'working' })

  expect(sayHello(root, [], { LIBC: broken })).toEqual(greeting)
})

test('an addon without its supervisor is not loaded', () => {
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  putAddon(join(root, 'build/Release/bashward.node'), 'working')

  expect(sayHello(root)).toEqual(greeting)
})

test('a program that was bundled finds the addon by BASHWARD_PREBUILD', () => {
  const native = tempDir()
  putAddon(join(prebuildsIn(native), 'bashward.glibc.node'), 'working')
  putSupervisor(prebuildsIn(native))

  expect(sayHello(emptyPackage(), [], { BASHWARD_PREBUILD: native })).toEqual(greeting)
})

describe('when none can be loaded', () => {
  test('the error names the platform, every file that was tried, and why it failed', () => {
    const root = packageWith({ 'bashward.glibc.node': 'broken', 'bashward.musl.node': 'broken' })
    const { code, message, errors } = sayHello(root) as Record<string, string>

    expect({ code, errors }).toEqual({ code: 'ERR_UNSUPPORTED_PLATFORM', errors: 2 })
    expect(message).toMatch(
      /^bashward's native engine cannot be loaded: this is linux-(x64|arm64) with (glibc|musl); tried /,
    )
    for (const libc of ['glibc', 'musl']) {
      expect(message).toContain(`${prebuildsIn(root)}/bashward.${libc}.node: file too short`)
    }
  })

  test('the error says where nothing was found', () => {
    const root = emptyPackage()

    expect(sayHello(root)).toMatchObject({
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: expect.stringContaining(`nothing is built for it in ${root};`),
    })
  })
})

test('the C library is not known where /proc is not mounted', () => {
  const read = jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
  })
  try {
    expect(platformName()).toBe(`linux-${process.arch} with an unknown C library`)
  } finally {
    read.mockRestore()
  }
})

test('variables of npm name no other addon', () => {
  const root = packageWith({ 'bashward.glibc.node': 'broken', 'bashward.musl.node': 'broken' })
  putAddon(join(root, 'prebuilds/planted-planted/bashward.node'), 'working')
  const npm = { npm_config_platform: 'planted', npm_config_arch: 'planted' }
  const { message } = sayHello(root, [], npm) as { message: string }

  expect(message).toContain('bashward.glibc.node')
  expect(message).not.toContain('planted')
})
