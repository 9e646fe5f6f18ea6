// What this program consists of, and what decides which files that are the next time.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nativeRoots } from '../engine/native/addon-files.js'
import { packageRoot } from '../package-root.js'
import { placesOnTheWay } from '../sandbox/linked-path.js'

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
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = find.paths(name)?.find((directory) => existsSync(join(directory, name)))
    if (found !== undefined) yield join(found, name)
  }
}

const loads = /^(?:-r|--require|--import|--loader|--experimental-loader)$/

/** What Node loads before the program: by its options, and by those in the environment. */
function* preloaded(): Generator<string, void, undefined> {
  const words = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)]
  const options = words.flatMap((word) => word.replace(/^(--[a-z-]+)=/, '$1\0').split('\0'))
  for (const [i, option] of options.entries()) {
    const named = options[i + 1]?.replace(/^"|"$/g, '')
    if (loads.test(option) && named !== undefined) yield* moduleAt(named)
  }
}

function* moduleAt(name: string): Generator<string, void, undefined> {
  try {
    const path = name.startsWith('file:') ? fileURLToPath(name) : name
    if (isAbsolute(path) || /^\.{1,2}\//.test(path)) yield resolve(path)
    yield createRequire(resolve('any')).resolve(path)
  } catch {
    // Node itself did not find it, or it is one that only `import` finds.
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
