// Builds dist/: the types with tsc, the code with esbuild, in few files. With one file for each module, finding,
// opening and compiling them took most of the time of require('bashward').
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { publishedTypes } from './published-types.mjs'

const root = resolve(import.meta.dirname, '..')
const lib = join(root, 'lib')
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)
const manifest = require('../package.json')
const { version, dependencies, optionalDependencies, peerDependencies, engines } = manifest

/**
 * Folders of lib/ that group others. The code in dist/ lies without them, as `dist/cli/bin.js`, which people start by its
 * path; declarations lie as in lib/.
 */
const groups = ['base', 'processes', 'guard', 'terminals', 'commands', 'surfaces']
const distName = (name) => name.replace(new RegExp(`^(?:${groups.join('|')})/`), '')

/** Relative imports of a text, but for those of types: `before` is what stands before the path. */
const importsIn = (file, before) =>
  Array.from(
    readFileSync(join(lib, file), 'utf8').matchAll(new RegExp(`${before}'(\\.[^']+)'`, 'gm')),
    ([, path]) => join(dirname(file), path).replace(/\.m?js$/, ''),
  )

/**
 * Modules that become files of dist/: those that package.json names, those that the adapters for `import` share with the
 * others, and those that load when needed, as the sources themselves say. Each file also holds what no other part needs.
 */
function findParts() {
  const files = readdirSync(lib, { recursive: true })
  const named = [...Object.values(manifest.exports), manifest.bin.bashward].flatMap((entry) => {
    const file = typeof entry === 'string' ? entry : entry.require.default
    if (!file.startsWith('./dist/')) return []
    const source = files.find((name) => `./dist/${distName(name).replace(/\.ts$/, '.js')}` === file)
    if (source === undefined) throw new Error(`package.json names ${file}, and lib/ has no module for it`)
    return [source.replace(/\.ts$/, '')]
  })
  const shared = files
    .filter((file) => file.endsWith('.mts'))
    .flatMap((file) => importsIn(file, '^(?:import|export) (?!type)[^;]*? from '))
  const needed = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => importsIn(file, '(?<!typeof )\\b(?:require|import)\\(\\s*'))
  return [...new Set([...named, ...shared, ...needed])]
}

const parts = findParts()
/**
 * One file holds what index needs. A second one holds what several other parts need, and loads with the first of them.
 * So each module exists once: all parts agree on which engine runs, say.
 */
const first = 'bashward'
const later = 'shared'
/**
 * Besides, what only few processes need: the second one loads with the first command. Each file holds what several parts share
 * of the modules below these directories, unless the second one needs it.
 */
const rare = {
  // It needs packages that few have installed.
  'surfaces/fleet/common': ['surfaces/fleet/'],
  'terminals/terminal/common': ['terminals/terminal/', 'tools/tty/'],
  'surfaces/cli/common': ['surfaces/cli/'],
}
/** The module that looks whether the others can be loaded at all. */
const beforeAll = 'can-load'

/** What modules find as constants. */
const constants = { BASHWARD_VERSION: JSON.stringify(version) }

/** The files of dist/ that this build consists of. */
const emitted = new Set()

/** @param {import('esbuild').BuildOptions} options */
const emit = async (options) => {
  const result = await build({
    absWorkingDir: root,
    outbase: lib,
    outdir: dist,
    platform: 'node',
    target: `node${/\d+\.\d+\.\d+/.exec(engines.node)[0]}`,
    logLevel: 'warning',
    metafile: true,
    // A sixth of the code's size in the package. Lines stay short enough for a stack trace to tell where it was.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    // That these files can be read by Node 14, too, which then hears what is needed.
    supported: { 'logical-assignment': false },
    ...options,
  })
  for (const file of Object.keys(result.metafile.outputs)) emitted.add(join(root, file))
  return result
}

/** @param {import('esbuild').BuildOptions} options */
const bundle = (options) =>
  emit({
    bundle: true,
    format: 'cjs',
    define: constants,
    external: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
    ...options,
  })

/** Leaves out of a file the other parts, and the modules of the common files: `homes` has the file of each. */
const leaveOut = (file, homes = new Map()) => ({
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const name = relative(lib, join(resolveDir, path)).replace(/\.js$/, '')
      if (parts.includes(name) && name !== file) return { path: pathBetween(file, name), external: true }
      return (homes.get(name) ?? file) === file ? undefined : { path: name, namespace: 'common' }
    })
    // As constants: through the getters that esbuild would make of a namespace, each use of a name takes a look-up.
    onLoad({ filter: /^/, namespace: 'common' }, ({ path }) => ({
      contents: [
        `import { modules } from '${pathBetween(file, homes.get(path))}'`,
        `export const { ${exported.get(path)} } = modules['${path}']`,
      ].join('\n'),
    }))
    onResolve({ filter: /^/, namespace: 'common' }, ({ path }) => ({ path, external: true }))
  },
})

/** A module and its file in dist/, as esbuild takes them. */
function entryPoint(name, ending = 'ts') {
  return { in: join(lib, `${name}.${ending}`), out: distName(name) }
}

/** From one file of dist/ to another, as require() wants it. */
function pathBetween(from, to) {
  const path = relative(dirname(distName(from)), `${distName(to)}.js`)
  return path.startsWith('.') ? path : `./${path}`
}

/** An adapter loads the package before those of others, which fail with riddles on an older Node. */
function beforeOthers(part, load) {
  if (!/^surfaces\/(adapters\/[a-z]+|fleet\/fleet)$/.test(part)) return {}
  return { banner: { js: load(pathBetween(part, first)) } }
}

/** The modules that a part would consist of if nothing were common. */
async function modulesOf(part) {
  const { metafile } = await bundle({
    entryPoints: [join(lib, `${part}.ts`)],
    plugins: [leaveOut(part)],
    write: false,
  })
  return Object.entries(metafile.inputs).map(([file, { imports }]) => ({
    name: moduleName(file),
    imports: imports.filter(({ external }) => !external).map(({ path }) => moduleName(path)),
  }))
}

/** Of a file, as esbuild names it. */
function moduleName(file) {
  return relative('lib', file).replace(/\.ts$/, '')
}

/** @returns {Promise<Map<string, string>>} the common file that a module is in */
async function findHomes() {
  const users = new Map()
  const importsOf = new Map()
  for (const part of parts) {
    for (const { name, imports } of await modulesOf(part)) {
      users.set(name, [...(users.get(name) ?? []), part])
      importsOf.set(name, imports)
    }
  }
  const homes = new Map()
  for (const [name, [user, ...others]] of users) {
    if (parts.includes(name)) continue
    // index is the first of the parts.
    if (user === 'index') homes.set(name, first)
    else if (others.length > 0) homes.set(name, rareHome(name) ?? later)
  }
  keepNeeded(homes, importsOf)
  return homes
}

function rareHome(name) {
  return Object.keys(rare).find((file) => rare[file].some((directory) => name.startsWith(directory)))
}

/** What the file needs that loads with the first command is there, too. */
function keepNeeded(homes, imports) {
  const needed = [...homes.keys()].filter((name) => homes.get(name) === later)
  for (const name of needed) {
    for (const each of imports.get(name) ?? []) {
      if (!Object.hasOwn(rare, homes.get(each) ?? '')) continue
      homes.set(each, later)
      needed.push(each)
    }
  }
}

/** Modules of Node.js that every process has loaded anyway, and the few that are worth their time. */
const cheapModules = ['async_hooks', 'buffer', 'diagnostics_channel', 'fs', 'module', 'os', 'path', 'util']

/** @throws when require('bashward') would load more of Node.js than it needs: fs/promises alone takes a millisecond */
function refuseSlowModules({ metafile }) {
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, kind } of imports) {
      if (kind !== 'import-statement' || !path.startsWith('node:')) continue
      if (!cheapModules.includes(path.slice('node:'.length))) {
        throw new Error(`${file} loads with require('bashward'), and ${path} takes too long for that`)
      }
    }
  }
}

/** @returns {Promise<Map<string, string[]>>} what each module exports, but for types */
async function findExports(names) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => join(lib, `${name}.ts`)),
    outdir: dist,
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const outputs = Object.values(metafile.outputs)
  return new Map(outputs.map(({ entryPoint, exports }) => [moduleName(entryPoint), exports]))
}

/** All modules of a common file, one behind the other, without functions around them: those would be compiled twice. */
function listModules(homes, file) {
  const names = [...homes.keys()].filter((name) => homes.get(name) === file)
  if (file === first) names.unshift(beforeAll)
  return [
    // Strict, as each module is by itself: their functions are at the top level of this file.
    `'use strict'`,
    ...names.map((name, i) => `import * as m${i} from './${name}.ts'`),
    `export const modules = {${names.map((name, i) => `'${name}': m${i}`).join()}}`,
  ].join('\n')
}

/** A program that the package has as a text in the part that starts it; the file is for lib/ in a checkout. */
async function buildProgram(name) {
  await bundle({ entryPoints: [entryPoint(name)], minify: true })
  return JSON.stringify(readFileSync(join(dist, `${distName(name)}.js`), 'utf8'))
}

function emitTypes() {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  // The others are removed with what is stale.
  for (const file of publishedTypes(manifest.exports, root)) emitted.add(file)
}

/** Otherwise the package would hold leftovers of earlier builds. Last, and one by one: tests may be using the rest. */
function removeStale() {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !emitted.has(file)) rmSync(file)
  }
}

emitTypes()
const programs = {
  'guard/proxy/command-network': { BASHWARD_PROXY: await buildProgram('guard/proxy/main') },
  'terminals/explain/explain': { BASHWARD_LOOK: await buildProgram('terminals/explain/look/main') },
  'terminals/terminal/screens': { BASHWARD_SCREEN: await buildProgram('terminals/terminal/worker/main') },
}
const homes = await findHomes()
const exported = await findExports([...homes.keys()])
for (const file of [first, later, ...Object.keys(rare)]) {
  const result = await bundle({
    stdin: { contents: listModules(homes, file), sourcefile: `${file}.ts`, resolveDir: lib },
    entryNames: distName(file),
    plugins: [leaveOut(file, homes)],
    // Stack traces of what every process loads have the names of functions.
    minifyIdentifiers: file !== first,
  })
  if (file === first) refuseSlowModules(result)
}
for (const part of parts) {
  await bundle({
    entryPoints: [entryPoint(part)],
    plugins: [leaveOut(part, homes)],
    define: { ...constants, ...programs[part] },
    minifyIdentifiers: true,
    ...beforeOthers(part, (path) => `"use strict";require('${path}');`),
  })
}
// A program of its own, with everything it needs in one file.
await bundle({ entryPoints: [entryPoint('processes/engine/portable/job-program')], minifyIdentifiers: true })
for (const part of parts) {
  if (!existsSync(join(lib, `${part}.mts`))) continue
  await emit({
    entryPoints: [entryPoint(part, 'mts')],
    outExtension: { '.js': '.mjs' },
    ...beforeOthers(part, (path) => `import '${path}';`),
  })
}
chmodSync(join(root, 'dist/cli/bin.js'), 0o755)
removeStale()
