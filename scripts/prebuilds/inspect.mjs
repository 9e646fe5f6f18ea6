// What every prebuilt binary must fulfil, whatever it was built from.
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { cacheDirectory } from '../pinned-packages.mjs'
import { readElf } from './elf.mjs'
import { filesOf, GLIBC, root } from './targets.mjs'

const EXPORTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1']

/** Parts of the C library: every system with that library has them all. */
const LIBRARIES = {
  glibc:
    /^(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|librt\.so\.1|ld-linux-(x86-64\.so\.2|aarch64\.so\.1))$/,
  musl: /^libc\.so$/,
}

/** @returns {string[]} what is wrong with the addon and the supervisor of a target: one line each */
export function inspect(target, prebuilds) {
  const { addon, supervisor } = filesOf(target)
  return [
    ...faults(prebuilds, addon, target, (elf) => faultsOfAddon(elf, target)),
    ...faults(prebuilds, supervisor, target, faultsOfSupervisor),
  ]
}

function faults(prebuilds, file, { arch }, specific) {
  const path = join(prebuilds, file)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return [`${file}: is missing`]
  const content = readFileSync(path)
  const elf = readElf(content)
  const found = [...specific(elf)]
  // For the owner, and for whoever runs what root has installed.
  if ((stat.mode & 0o555) !== 0o555) found.push(`is not executable (mode ${(stat.mode & 0o777).toString(8)})`)
  if (elf.arch !== arch) found.push(`is for ${elf.arch ?? 'another processor'}`)
  if (elf.executableStack) found.push('has an executable stack')
  for (const path of [root, homedir(), cacheDirectory].filter((name) => name.length > 1)) {
    if (content.includes(path)) found.push(`contains the path ${path}`)
  }
  return found.map((fault) => `${file}: ${fault}`)
}

function* faultsOfAddon(elf, { libc }) {
  if (elf.type !== 'shared') yield 'is no shared library'
  if (elf.exports.join() !== EXPORTS.join()) yield `exports ${elf.exports.join(', ') || 'nothing'}`
  if (!elf.nodelete) yield 'can be unmapped while its thread runs (no -z nodelete)'
  if (elf.textRelocations) yield 'has text relocations'
  if (elf.searchPaths.length > 0) yield `searches libraries in ${elf.searchPaths.join(', ')}`
  for (const name of elf.needed.filter((name) => !LIBRARIES[libc].test(name))) yield `needs ${name}`
  for (const version of elf.versions.filter((name) => !isOldEnough(name, libc))) yield `needs ${version}`
}

function* faultsOfSupervisor(elf) {
  if (elf.type !== 'executable') yield 'is not linked to a fixed address'
  if (elf.interpreted || elf.needed.length > 0) yield 'is not static'
}

function isOldEnough(version, libc) {
  const [, major, minor] = /^GLIBC_(\d+)\.(\d+)/.exec(version) ?? []
  const [oldestMajor, oldestMinor] = GLIBC.split('.').map(Number)
  return libc === 'glibc' && Number(major) === oldestMajor && Number(minor) <= oldestMinor
}
