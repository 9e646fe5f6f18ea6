// Releases a version: npm run release -- VERSION [--check | --publish]
//
//   (nothing)   writes the version into package.json, package-lock.json and CHANGELOG.md, builds the prebuilt binaries,
//               checks everything and packs. What it changed is then to be reviewed, committed and tagged.
//   --check     changes nothing: the checkout must be that version, with binaries built from its native sources.
//   --publish   the same as --check, and then publishes what was packed. What the workflow of a tag runs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pack } from '../pack.mjs'
import { fetchToolchain } from '../prebuilds/toolchain.mjs'
import { isOlder, isVersion, releaseNotes, withReleaseHeading, withVersion } from './version.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (file) => readFileSync(join(root, file), 'utf8')
const write = (file, text) => writeFileSync(join(root, file), text)

class Refused extends Error {}

/** @returns {{version: string, prepare: boolean, publish: boolean}} */
function parseArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, publish: { type: 'boolean' } },
  })
  const [version] = positionals
  if (positionals.length !== 1 || !isVersion(version))
    throw new Refused('one VERSION is needed, such as 1.2.3')
  return { version, prepare: !values.check && !values.publish, publish: values.publish ?? false }
}

/** Runs a step, and ends the release when it fails. Nothing may be left out here. */
function step(program, ...parameters) {
  console.log(`\n> ${program} ${parameters.join(' ')}`)
  const { status, error } = spawnSync(program, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BASHWARD_MUST_WORK: '1' },
  })
  if (status !== 0)
    throw new Refused(`${program} ${parameters.join(' ')}: ${error ?? `exit status ${status}`}`)
}

function requireCleanCheckout() {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (stdout !== '') throw new Refused(`the checkout has changes that are not committed:\n${stdout}`)
}

function writeVersion(version) {
  const current = JSON.parse(read('package.json')).version
  if (isOlder(version, current))
    throw new Refused(`${version} is older than ${current}, the version that is here`)
  write('CHANGELOG.md', withReleaseHeading(read('CHANGELOG.md'), version, new Date()))
  for (const file of ['package.json', 'package-lock.json']) write(file, withVersion(read(file), version))
}

function requireVersion(version) {
  const current = JSON.parse(read('package.json')).version
  if (current !== version) throw new Refused(`this is version ${current}, not ${version}`)
  if (releaseNotes(read('CHANGELOG.md'), version) === undefined) {
    throw new Refused(`CHANGELOG.md has no heading of the released version ${version}`)
  }
}

/** Checks everything, and returns the tarball. */
function checkAndPack() {
  fetchToolchain() // so that the comparison with a new build takes place
  for (const script of ['verify:prebuilds', 'check', 'test:all', 'test:package']) step('npm', 'run', script)
  const destination = join(root, 'release')
  rmSync(destination, { recursive: true, force: true })
  mkdirSync(destination)
  return pack(destination)
}

function release({ version, prepare, publish }) {
  requireCleanCheckout()
  if (prepare) {
    writeVersion(version)
    step('npm', 'run', 'prebuilds')
  }
  requireVersion(version)
  const { file, size } = checkAndPack()
  console.log(`\n${relative(root, file)}: ${(size / 1e6).toFixed(2)} MB`)
  if (publish)
    step('npm', 'publish', file, '--access', 'public', ...(version.includes('-') ? ['--tag', 'next'] : []))
  if (prepare) {
    console.log(`Review what has changed; then, to publish it from a tag:
  git add --update && git add prebuilds && git commit -m 'Release ${version}'
  git tag v${version} && git push origin main v${version}`)
  }
}

try {
  release(parseArguments())
} catch (error) {
  if (!(error instanceof Refused) && error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
