// What is in the tarball, and what is not.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { nodePath, tarball, toolPath } from './support/tools.js'

afterAll(removeTempDirs)

const listing = spawnSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).stdout.trimEnd().split('\n')
const files = listing.map((line) => line.split(/\s+/).at(-1)?.replace('package/', '') ?? '')

const unpacked = (): string => {
  const directory = tempDir()
  spawnSync('tar', ['-xzf', tarball, '-C', directory])
  return join(directory, 'package')
}

/** Runs a checker of packages in the tools. */
const check = (words: string[]) => {
  const { status, stdout, stderr } = spawnSync(nodePath(24), words, { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

test('is smaller than 2.8 MB', () => {
  expect(statSync(tarball).size).toBeLessThan(2.8e6)
})

/** Figures, evidence and design: who looks for them has a checkout. */
const ofCheckout =
  /^(ARCHITECTURE|CONTRIBUTING)\.md$|^(bench|lib|test|docs\/design)\/|^docs\/(benchmarks|faults|kernels|soak)\.md$/

const pages = files.filter((file) => file.endsWith('.md'))

test('holds the pages and examples, but for what is about a checkout', () => {
  const namesIn = (directory: string) =>
    readdirSync(join(packageRoot, directory)).map((name) => `${directory}/${name}`)
  const expected = [...namesIn('docs').filter((path) => path.endsWith('.md')), ...namesIn('examples')]

  expect(files.filter((file) => /^(docs|examples)\/(?!demo\.svg$)/.test(file)).sort()).toEqual(
    expected.filter((path) => !ofCheckout.test(path)).sort(),
  )
})

test.each(pages)('all that %s leads to is there, or is about a checkout', (page) => {
  const text = readFileSync(join(packageRoot, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
  const targets = [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => target)
  const paths = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target))

  expect(paths.filter((path) => !files.includes(path) && !ofCheckout.test(path))).toEqual([])
})

test('all that messages, help and types lead to is there', () => {
  const build = unpacked()
  const texts = files
    .filter((file) => /^dist\//.test(file))
    .map((file) => readFileSync(join(build, file), 'utf8'))
  const named = texts.flatMap((text) => text.match(/\b(?:docs|examples)\/[\w-]+\.(?:md|mjs)\b/g) ?? [])

  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !files.includes(path))).toEqual([])
})

test('holds the build, the prebuilt binaries, and the texts', () => {
  const isBuild = /^dist\/.*\.(m?js|d\.m?ts)$/
  const others = files.filter((file) => !isBuild.test(file) && !/^(docs|examples)\//.test(file))

  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'THIRD_PARTY_NOTICES',
    'package.json',
    'prebuilds/SHA256SUMS',
    'prebuilds/linux-arm64/bashward-supervisor',
    'prebuilds/linux-arm64/bashward.glibc.node',
    'prebuilds/linux-arm64/bashward.musl.node',
    'prebuilds/linux-x64/bashward-supervisor',
    'prebuilds/linux-x64/bashward.glibc.node',
    'prebuilds/linux-x64/bashward.musl.node',
  ])
})

test('all that the types of the entry points refer to is there', () => {
  const directory = unpacked()
  const { exports } = require(join(directory, 'package.json'))
  const entries = Object.values<{ [condition in 'import' | 'require']?: { types: string } }>(exports)
  const declarations = entries.flatMap((entry) => [entry.import?.types, entry.require?.types])
  const seen = new Set(declarations.flatMap((file) => (file === undefined ? [] : [join(directory, file)])))
  for (const file of seen) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      seen.add(join(dirname(file), path.replace(/\.(m?)js$/, '.d.$1ts')))
    }
  }

  expect(seen.size).toBeGreaterThan(50)
})

test('the binaries and the program can be executed', () => {
  const executable = (name: string) =>
    listing.filter((line) => line.endsWith(name)).map((line) => line.slice(0, 10))

  expect(executable('/bashward-supervisor')).toEqual(['-rwxr-xr-x', '-rwxr-xr-x'])
  expect(executable('.node')).toEqual(Array(4).fill('-rwxr-xr-x'))
  expect(executable('/dist/cli/bin.js')).toEqual(['-rwxr-xr-x'])
})

test('nothing is run when it is installed', () => {
  const { scripts, gypfile } = require(join(unpacked(), 'package.json'))

  expect(gypfile).toBe(false)
  expect(Object.keys(scripts)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$|^prepare$/)]),
  )
})

test('publint finds nothing to say, strictly', () => {
  const directory = unpacked()

  expect(check([toolPath('publint/src/cli.js'), '--strict', directory])).toEqual({
    status: 0,
    text: expect.stringContaining('All good!'),
  })
})

test('are-the-types-wrong finds that they are right', () => {
  // Without resolution as before Node 12, which knows no exports: what is found there is shown, and no problem.
  const { status, text } = check([
    toolPath('@arethetypeswrong/cli/dist/index.js'),
    '--profile',
    'node16',
    tarball,
  ])

  expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('node16 (from ESM)') })
})
