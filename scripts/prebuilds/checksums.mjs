// prebuilds/SHA256SUMS: the hash of each binary, as sha256sum(1) writes and checks them, after a comment with the hash
// of what they were built from.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './targets.mjs'

const SOURCES = '# native sources: '

const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The packages whose sources or headers become part of the binaries, with their exact versions. */
function compiledPackages() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(devDependencies)
    .filter(([name]) => /^(node-addon-api|node-api-headers|tree-sitter.*)$/.test(name))
    .map(([name, version]) => `${name}@${version}\n`)
}

/**
 * One hash for everything that decides what the binaries are: the native sources, how they are built, the packages
 * compiled in, and the toolchain.
 */
export function hashOfSources() {
  const native = readdirSync(join(root, 'native'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
  const build = ['CMakeLists.txt', 'cmake/zig.cmake', 'scripts/prebuilds/toolchain/package-lock.json']
  const files = [...native, ...build].sort()
  return sha256(
    ...compiledPackages().sort(),
    ...files.flatMap((file) => [`${file}\n`, sha256(readFileSync(join(root, file))), '\n']),
  )
}

/** The hash of a binary below `prebuilds`. */
export const hashOfFile = (prebuilds, file) => sha256(readFileSync(join(prebuilds, file)))

/** Writes `prebuilds`/SHA256SUMS for these files. */
export function writeChecksums(prebuilds, files) {
  const lines = files.map((file) => `${hashOfFile(prebuilds, file)}  ${file}\n`)
  writeFileSync(join(prebuilds, 'SHA256SUMS'), `${SOURCES}${hashOfSources()}\n${lines.join('')}`)
}

/** What `prebuilds`/SHA256SUMS says, or undefined without one: the hash of the sources, and that of each file. */
export function readChecksums(prebuilds) {
  const file = join(prebuilds, 'SHA256SUMS')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const sources = lines.find((line) => line.startsWith(SOURCES))?.slice(SOURCES.length)
  const files = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('  ').reverse())
  return { sources, files: new Map(files) }
}
