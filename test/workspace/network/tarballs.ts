// The tarballs of published packages: what stands in a package-lock.json, and others by name. npm fetches them once, from
// the registry that it is configured for, into the cache that the scripts use for downloads.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What a lock file says of a package, and a registry in front of its tarball. */
export interface Manifest {
  name: string
  version: string
  integrity?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

export interface Tarball {
  manifest: Manifest
  bytes: Buffer
}

const isFor = (allowed: string[] | undefined, own: string): boolean => allowed?.includes(own) ?? true

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
const ownLibrary = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'

export const isForThisMachine = ({ os, cpu, libc }: Manifest): boolean =>
  isFor(os, process.platform) && isFor(cpu, process.arch) && isFor(libc, ownLibrary)

/** What `directory` has locked. */
export const lockedPackages = (directory: string): Manifest[] => {
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
  return Object.entries<Manifest>(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 13) }))
}

const cacheDirectory = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bashward')

const readTarball = (path: string): Tarball => {
  // Not all of them call their one directory `package`.
  const words = ['-xzOf', path, '--wildcards', '--no-wildcards-match-slash', '*/package.json']
  const { status, stdout, stderr } = spawnSync('tar', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return { manifest: JSON.parse(stdout), bytes: readFileSync(path) }
}

/**
 * @param specifications such as `vite@7.3.8`
 * @returns the tarballs, or why there are none
 */
export const fetchTarballs = (specifications: readonly string[]): Tarball[] | { obstacle: string } => {
  const hash = createHash('sha256').update(specifications.join()).digest('hex').slice(0, 16)
  const place = join(cacheDirectory(), `tarballs-${hash}`)
  if (!existsSync(place)) {
    mkdirSync(cacheDirectory(), { recursive: true })
    // Another run may make it at the same time.
    const draft = mkdtempSync(`${place}.`)
    try {
      const words = ['pack', '--silent', '--pack-destination', draft, ...specifications]
      const { status, stderr, error } = spawnSync('npm', words, {
        cwd: draft,
        encoding: 'utf8',
        timeout: 120_000,
      })
      if (status !== 0) {
        return { obstacle: `npm cannot fetch ${specifications[0]} and others: ${error ?? stderr}` }
      }
      if (!existsSync(place)) renameSync(draft, place)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return readdirSync(place).map((name) => readTarball(join(place, name)))
}
