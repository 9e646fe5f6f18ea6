// package-lock.json serves every machine that develops bashward: `npm ci` installs it, and `npm install` leaves it alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { packageRoot } from './support/as-user.js'

interface Entry {
  version: string
  resolved?: string
  libc?: string[]
  engines?: { node?: string }
  optionalDependencies?: Record<string, string>
}

const text = readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
const entries = Object.entries(packages)

/** The entry that `require(name)` finds from the directory of a package, as Node looks for it. */
const find = (from: string, name: string): Entry | undefined => {
  const entry = packages[join(from, 'node_modules', name)]
  if (entry !== undefined || from === '') return entry
  return find(from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}

test('has an entry for each optional package of each platform: npm ci refuses a lock without them', () => {
  const missing = entries.flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => find(from, name) === undefined),
  )

  expect(missing).toEqual([])
})

test('names no registry, so that each machine asks its own', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(text.match(/\w+:\/\/[^"]*registry[^"]*/g)).toBeNull()
  expect(readFileSync(join(packageRoot, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true')
})

test('has no field that npm 10 would remove', () => {
  expect(entries.filter(([, { libc }]) => libc !== undefined)).toEqual([])
})

test('only the SDKs that are made for Node 22 warn on the oldest Node', () => {
  const [, oldest = ''] = /^\^(\d+\.\d+\.\d+) /.exec(manifest.engines.node) ?? []
  const refusing = entries.filter(([, { engines }]) => !isAllowed(oldest, engines?.node ?? '*'))

  expect(refusing.map(([path]) => path.replace('node_modules/', ''))).toEqual([
    '@ai-sdk/gateway',
    '@ai-sdk/provider',
    '@ai-sdk/provider-utils',
    'ai',
    'openai',
  ])
})

/** Whether a range of `engines` allows a version: as much of semver as is written there. */
const isAllowed = (version: string, range: string): boolean =>
  range.split('||').some((alternative) => {
    const [, operator, from = '0'] = /^\s*([\^>=]*)\s*(\d[\d.]*|)/.exec(alternative) ?? []
    const isSameMajor = Number.parseInt(version, 10) === Number.parseInt(from, 10)
    const isNewEnough = version.localeCompare(from, 'en', { numeric: true }) >= 0
    return alternative.trim() === '*' || (isNewEnough && (operator === '>=' || isSameMajor))
  })
