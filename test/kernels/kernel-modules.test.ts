import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { gatherModules, isModule, withModules } from './kernel-modules.mjs'

afterAll(removeTempDirs)

test('the package of the modules is taken where there is one', () => {
  const names = [
    'linux-image-6.2.0-39-generic',
    'linux-modules-6.2.0-39-generic',
    'linux-image-6.1-cloud-amd64',
  ]
  expect(withModules('linux-image-6.2.0-39-generic', names)).toEqual(names.slice(0, 2))
  expect(withModules('linux-image-6.1-cloud-amd64', names)).toEqual(['linux-image-6.1-cloud-amd64'])
})

test('of all modules only those of sockets are taken', () => {
  const at = './usr/lib/modules/6.12/kernel/net'
  expect(isModule(`${at}/ipv4/inet_diag.ko.xz`)).toBe(true)
  expect(isModule(`${at}/unix/unix_diag.ko`)).toBe(true)
  expect(isModule(`${at}/ipv4/udp_diag.ko.xz`)).toBe(false)
})

test('modules are gathered from where their package has them', () => {
  const directory = tempDir()
  mkdirSync(join(directory, 'root/net/unix'), { recursive: true })
  writeFileSync(join(directory, 'root/net/unix/unix_diag.ko'), 'module')
  writeFileSync(join(directory, 'root/vmlinuz'), 'kernel')
  gatherModules(join(directory, 'root'), join(directory, 'modules'))

  expect(readdirSync(join(directory, 'modules'))).toEqual(['unix_diag.ko'])
  expect(readFileSync(join(directory, 'modules/unix_diag.ko'), 'utf8')).toBe('module')
})
