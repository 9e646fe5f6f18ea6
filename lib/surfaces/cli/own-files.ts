// What this program consists of, and what decides which files that are the next time.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realNameOf } from '../../base/util/absolute-paths.js'
import { placesOnTheWay } from '../../guard/sandbox/linked-path.js'
import { packageRoot } from '../../package-root.js'
import { nativeRoots } from '../../processes/engine/native/addon-files.js'

/**
 * The real place of each file and directory, and of each symbolic link by which it is found: of the program and what
 * started it, of Node, of the package and its dependencies, and of what the environment has Node load.
 *
 * @yields absolute paths; some do not exist
 */
export function* ownFiles(): Generator<string, void, undefined> {
  const { argv, argv0, execPath } = process
  for (const path of [argv[1] ?? '', packageRoot, execPath, ...startersOf(argv0)]) yield* placesOnTheWay(path)
  for (const root of nativeRoots()) yield* placesOnTheWay(root)
  for (const path of [...dependencies(), ...preloaded(), ...libraries()]) yield* placesOnTheWay(path)
}

/** The name by which Node was started, which may be a link; and the directories in which another one would be found first. */
function* startersOf(name: string): Generator<string, void, undefined> {
  if (name.includes('/')) return yield resolve(name)
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const file = resolve(directory, name)
    yield file
    if (isExecutable(file)) return
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** As Node looks them up. Those of the adapters are not this program's. */
function* dependencies(): Generator<string, void, undefined> {
  const manifest = join(packageRoot, 'package.json')
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  const { resolve: find } = createRequire(manifest)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) yield* packageAt(name, find)
}

/** The directory of the package that has the module. */
function* packageAt(module: string, find: NodeJS.RequireResolve): Generator<string, void, undefined> {
  const name = /^(?:@[^/]+\/)?[^./][^/]*/.exec(module)?.[0]
  const found = name && find.paths(name)?.find((directory) => existsSync(join(directory, name)))
  if (found) yield join(found, name)
}

/** Directories of which every part is executed. */
export function ownTrees(): string[] {
  const native = [...nativeRoots()].flatMap((root) => [join(root, 'build'), join(root, 'prebuilds')])
  return [join(packageRoot, 'dist'), ...native, ...dependencies()].map(realNameOf)
}

const loads = /^(?:-r|--require|--import|--loader|--experimental-loader)$/

/** Files that name code, or are of it: a configuration of OpenSSL names libraries. */
const reads = /^--(?:openssl-config|snapshot-blob|env-file|env-file-if-exists|experimental-config-file)$/

/** What Node loads before the program: by its options, and by those in the environment. */
function* preloaded(): Generator<string, void, undefined> {
  const words = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)]
  const options = words.flatMap((word) => word.replace(/^(--[a-z_-]+)=/, '$1\0').split('\0'))
  for (const [i, option] of options.entries()) {
    const named = options[i + 1]?.replace(/^"|"$/g, '')
    if (named === undefined) continue
    // Node takes underscores for dashes.
    const name = option.replaceAll('_', '-')
    if (loads.test(name)) yield* moduleAt(named)
    if (reads.test(name)) yield resolve(named)
  }
  const { OPENSSL_CONF, OPENSSL_MODULES, OPENSSL_ENGINES, NODE_COMPILE_CACHE } = process.env
  for (const path of [OPENSSL_CONF, OPENSSL_MODULES, OPENSSL_ENGINES, NODE_COMPILE_CACHE])
    if (path) yield resolve(path)
}

function* moduleAt(name: string): Generator<string, void, undefined> {
  try {
    const path = name.startsWith('file:') ? fileURLToPath(name) : name
    if (isAbsolute(path) || /^\.{1,2}\//.test(path)) yield resolve(path)
    const { resolve: find } = createRequire(resolve('any'))
    // One that only `import` finds is somewhere in its package.
    yield* packageAt(path, find)
    yield find(path)
  } catch {
    // Node itself did not find it.
  }
}

/** What the loader of libraries looks through (ld.so(8)). */
function* libraries(): Generator<string, void, undefined> {
  const { LD_LIBRARY_PATH = '', LD_PRELOAD = '', LD_AUDIT = '' } = process.env
  // An empty entry is the working directory.
  if (LD_LIBRARY_PATH !== '') for (const path of LD_LIBRARY_PATH.split(/[:;]/)) yield resolve(path)
  for (const path of [...LD_PRELOAD.split(/[: ]/), ...LD_AUDIT.split(':')])
    if (path.includes('/')) yield resolve(path)
}
