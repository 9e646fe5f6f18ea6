// The kernels: Debian's and Ubuntu's packages of them, each fetched once.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPackageLists } from './apt.mjs'
import { RowFailure } from './failure.mjs'
import { gatherModules, isModule, modulesOf, withModules } from './kernel-modules.mjs'
import { output, unpack } from './programs.mjs'
import { ubuntuArchive } from './ubuntu.mjs'

/** Where there are kernels of one age or another. Ubuntu keeps those that a release once had. */
const SUITES = {
  debian: [
    'bullseye-security',
    'bookworm-security',
    'trixie-security',
    'trixie-backports',
    'sid',
    'experimental',
  ],
  ubuntu: ['jammy-updates', 'noble-updates'],
}

/** Which of the builds of a kernel: those that need no module to run as a guest. */
const FLAVOURS = { debian: (architecture) => `cloud-${architecture}`, ubuntu: () => 'generic' }

/** 6.12.117+deb13 comes after 6.12.94+deb13, and after 6.12 alone. */
const compareVersions = (left, right) => {
  const [a, b] = [left, right].map((version) => version.match(/\d+/g).map(Number))
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

/** Since 6.19 the kernel is in linux-binary, and linux-image is empty. The signed ones and the others are the same. */
const PREFERENCE = ['binary', 'binary-unsigned', 'image', 'image-unsigned']

/**
 * The package with the newest kernel of a version.
 *
 * @param {string[]} names of packages
 * @param {string} kernel such as `6.12`
 * @param {string} architecture as Debian calls it
 * @param {import('./rows.mjs').Distribution} [distribution]
 * @returns {string | undefined}
 */
export const choosePackage = (names, kernel, architecture, distribution = 'debian') => {
  const flavour = FLAVOURS[distribution](architecture)
  const pattern = new RegExp(`^linux-((?:binary|image)(?:-unsigned)?)-(\\d.*)-${flavour}$`)
  const candidates = names.flatMap((name) => {
    const [, kind, version] = pattern.exec(name) ?? []
    // 6.1 is not 6.12.
    const matches = version?.startsWith(kernel) && !/^\d/.test(version.slice(kernel.length))
    return matches ? [{ name, kind, version }] : []
  })
  const rank = ({ kind }) => PREFERENCE.indexOf(kind)
  candidates.sort((a, b) => compareVersions(b.version, a.version) || rank(a) - rank(b))
  return candidates[0]?.name
}

/** Extracts the kernel and its modules alone: a package is large. */
const unpackWanted = (archive, target) => {
  const listed = output('dpkg-deb', ['--contents', archive], { kind: 'noKernel' })
  const paths = listed.split('\n').flatMap((line) => {
    const path = line.slice(line.indexOf(' ./') + 1)
    const isWanted = /\/vmlinuz[^/]*$/.test(path) || isModule(path)
    return line.startsWith('-') && isWanted ? [path] : []
  })
  if (paths.length > 0) unpack(archive, target, paths, 'noKernel')
}

const fetchKernel = (lists, packages, directory) => {
  const temporary = `${directory}.new-${process.pid}`
  try {
    const root = join(temporary, 'root')
    mkdirSync(root, { recursive: true })
    for (const archive of lists.download(packages, temporary)) unpackWanted(archive, root)
    const image = readdirSync(root, { recursive: true }).find((path) => /(^|\/)vmlinuz/.test(path))
    if (image === undefined) throw new RowFailure('noKernel', `${packages} has no kernel in it`)
    gatherModules(root, join(temporary, 'modules'))
    mkdirSync(directory, { recursive: true })
    renameSync(join(root, image), join(directory, 'vmlinuz'))
    renameSync(join(temporary, 'modules'), modulesOf(join(directory, 'vmlinuz')))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/**
 * @param {{ cache: string, refresh: boolean }} options
 * @returns gives the path of the kernel of a row
 */
export const openKernels = ({ cache, refresh }) => {
  const opened = new Map()
  const listsOf = {
    debian: (options) => openPackageLists(options),
    ubuntu: (options) => {
      const debianLists = open('debian', options.architecture).lists
      return openPackageLists({ ...options, archive: ubuntuArchive({ ...options, debianLists }) })
    },
  }
  const open = (distribution, architecture) => {
    const name = distribution === 'debian' ? architecture : `${distribution}-${architecture}`
    if (!opened.has(name)) {
      const directory = join(cache, `apt-kernels-${name}`)
      const suites = SUITES[distribution]
      const lists = listsOf[distribution]({ directory, architecture, suites, refresh, kind: 'noKernel' })
      opened.set(name, { lists, names: lists.names('linux-') })
    }
    return opened.get(name)
  }
  /** @throws {RowFailure} */
  return ({ kernel, architecture, distribution = 'debian' }) => {
    const { lists, names } = open(distribution, architecture)
    const name = choosePackage(names, kernel, architecture, distribution)
    if (name === undefined)
      throw new RowFailure(
        'noKernel',
        `no package of Linux ${kernel} for ${architecture} from ${distribution}`,
      )
    const directory = join(cache, 'kernels', name)
    const path = join(directory, 'vmlinuz')
    if (!existsSync(modulesOf(path))) fetchKernel(lists, withModules(name, names), directory)
    return path
  }
}
