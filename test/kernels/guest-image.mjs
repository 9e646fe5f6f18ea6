// The initial root file system of the guests of one architecture. What makes one guest different from another is on its
// kernel's command line.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createArchive } from './cpio.mjs'
import { debianRoot } from './debian-root.mjs'
import { buildPrograms } from './native-programs.mjs'

const require = createRequire(import.meta.url)
const here = dirname(fileURLToPath(import.meta.url))
const packageRoot = join(here, '../..')

const DAY = 24 * 60 * 60 * 1000

/** What an installed package consists of, the scenarios of the tests, and what the guest does. */
const PACKAGE = [
  ...['package.json', 'dist', 'test/fixtures'],
  ...Object.keys(require('../../package.json').dependencies).map((name) => `node_modules/${name}`),
]

const passwd = `root:x:0:0:root:/root:/bin/bash
user:x:1000:1000:user:/home/user:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`
const group = 'root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n'

const addSystem = (archive) => {
  for (const path of ['dev', 'proc', 'sys', 'run', 'mnt', 'root', 'home', 'home/user', 'var', 'etc']) {
    archive.directory(path)
  }
  for (const path of ['tmp', 'var/tmp']) archive.directory(path, 0o1777)
  archive.file('etc/passwd', passwd)
  archive.file('etc/group', group)
  archive.file('etc/hosts', '127.0.0.1 localhost\n::1 localhost\n')
  archive.file('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n')
  archive.file('init', readFileSync(join(here, 'guest/init')), 0o755)
}

const addPackage = (archive, { release, attack }) => {
  const below = ['', '/node_modules', '/test', '/build', '/build/Release', '/programs']
  for (const path of below) archive.directory(`bashward${path}`)
  for (const path of PACKAGE) {
    if (existsSync(join(packageRoot, path))) archive.copy(`bashward/${path}`, join(packageRoot, path))
  }
  archive.copy('bashward/guest', join(here, 'guest'))
  const binaries = readdirSync(release).filter((name) => /^bashward(\.node|-supervisor)$/.test(name))
  for (const name of binaries) archive.copy(`bashward/build/Release/${name}`, join(release, name))
  archive.file('bashward/programs/attack', readFileSync(attack), 0o755)
  archive.file('bashward/programs/attack-setuid', readFileSync(attack), 0o4755)
}

/** Images of the same architecture that no run has made for a day. */
const removeOldImages = (cache, architecture) => {
  const names = readdirSync(cache).filter((name) => name.startsWith(`guest-${architecture}`))
  for (const path of names.map((name) => join(cache, name))) {
    if (Date.now() - statSync(path).mtimeMs > DAY) rmSync(path)
  }
}

const makeImage = ({ cache, architecture, refresh }) => {
  removeOldImages(cache, architecture)
  const programs = buildPrograms({ packageRoot, cache, architecture })
  const root = debianRoot({ cache, architecture, refresh })
  const temporary = join(cache, `guest-${architecture}.new-${process.pid}`)
  try {
    const archive = createArchive(temporary)
    addSystem(archive)
    addPackage(archive, programs)
    archive.close()
    const own = readFileSync(temporary)
    const contents = createHash('sha256').update(basename(root)).update(own)
    const fingerprint = contents.digest('hex').slice(0, 16)
    // The kernel unpacks one archive after the other.
    copyFileSync(root, temporary)
    appendFileSync(temporary, own)
    // Of its own name: another run may boot what another state of the code has become.
    const path = join(cache, `guest-${architecture}-${fingerprint}.cpio`)
    renameSync(temporary, path)
    return { path, fingerprint }
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * @param {{ cache: string, refresh: boolean }} options
 * @returns gives the image of an architecture: its path, and a fingerprint of what is in it
 */
export const openImages = (options) => {
  const made = new Map()
  /** @throws {RowFailure} */
  return (architecture) => {
    if (!made.has(architecture)) made.set(architecture, makeImage({ ...options, architecture }))
    return made.get(architecture)
  }
}

/**
 * An image for one kernel: `image`, with its modules.
 *
 * @param {string} image
 * @param {string} modules their directory
 * @param {string} target
 */
export const addModules = (image, modules, target) => {
  const archive = createArchive(target)
  archive.copy('modules', modules)
  archive.close()
  const own = readFileSync(target)
  copyFileSync(image, target)
  appendFileSync(target, own)
}
