// npm run test:package [-- JEST OPTIONS]: packs the package, fetches what it is tested with, and runs the tests here.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pack } from '../../scripts/pack.mjs'
import { installPackages } from '../../scripts/pinned-packages.mjs'

const root = resolve(import.meta.dirname, '../..')
const jest = createRequire(import.meta.url).resolve('jest/bin/jest')

if (!existsSync(join(root, 'prebuilds/SHA256SUMS'))) {
  console.error('There are no prebuilt binaries to pack: npm run prebuilds')
  process.exit(1)
}
const directory = mkdtempSync(join(tmpdir(), 'bashward-package-'))
try {
  const { file, size, unpackedSize } = pack(directory)
  console.log(`packed: ${(size / 1e6).toFixed(2)} MB, unpacked ${(unpackedSize / 1e6).toFixed(2)} MB`)
  const parameters = ['--config', join(import.meta.dirname, 'jest.config.js'), ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, [jest, ...parameters], {
    stdio: 'inherit',
    env: {
      ...process.env,
      BASHWARD_TEST_TARBALL: file,
      BASHWARD_TEST_TOOLS: installPackages(join(import.meta.dirname, 'tools'), { foreign: true }),
    },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
