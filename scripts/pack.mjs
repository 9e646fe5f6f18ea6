// Packs the package as it would be published: a fresh dist/, and the prebuilt binaries as they are.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * @param {string} destination an existing directory
 * @returns {{file: string, size: number, unpackedSize: number}} the tarball's path, and bytes
 */
export function pack(destination) {
  // Must not ship files whose sources are gone.
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  run('npm', ['run', 'build:ts'])
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', resolve(destination)]))
  return { file: resolve(destination, packed.filename), size: packed.size, unpackedSize: packed.unpackedSize }
}

function run(program, parameters) {
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
