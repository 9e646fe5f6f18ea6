// The initial root file system of the guests of one architecture. What makes one guest different from another is on its
// kernel's command line.
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createArchive } from './cpio.mjs'
import { debianRoot } from './debian-root.mjs'
import { buildPrograms } from './native-programs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const packageRoot = join(here, '../..')

/** What an installed package consists of, the scenarios of the tests, and what the guest does. */
const PACKAGE = ['package.json', 'dist', 'node_modules/node-gyp-build', 'node_modules/re2js', 'test/fixtures']

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

const addPackage = (archive, { release, attack, shim }) => {
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
  archive.file('bashward/programs/landlock-shim', readFileSync(shim), 0o755)
}

/**
 * @param {{ cache: string, directory: string, refresh: boolean }} options directory: where the images are made
 * @returns gives the path of the image of an architecture
 */
export const openImages = ({ cache, directory, refresh }) => {
  const made = new Map()
  /** @throws {RowFailure} */
  return (architecture) => {
    if (!made.has(architecture)) {
      const programs = buildPrograms({ packageRoot, cache, architecture })
      const root = debianRoot({ cache, architecture, refresh })
      const image = join(directory, `guest-${architecture}.cpio`)
      const own = `${image}.own`
      const archive = createArchive(own)
      addSystem(archive)
      addPackage(archive, programs)
      archive.close()
      // The kernel unpacks one archive after the other.
      copyFileSync(root, image)
      appendFileSync(image, readFileSync(own))
      rmSync(own)
      made.set(architecture, image)
    }
    return made.get(architecture)
  }
}
