// Runs the programs of this machine that the matrix is made with.
import { spawnSync } from 'node:child_process'
import { RowFailure } from './failure.mjs'

/**
 * What `program` printed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ kind: ConstructorParameters<typeof RowFailure>[0], cwd?: string }} options kind: of the failure when it
 *   fails; `noTool` is taken when it is not there
 * @throws {RowFailure}
 */
export const output = (program, args, { kind, cwd }) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error !== undefined) {
    if (error.code === 'ENOENT') throw new RowFailure('noTool', `${program} is not installed`)
    throw new RowFailure(kind, `${program}: ${error.message}`)
  }
  if (status !== 0) {
    const lines = `${stdout}${stderr}`.trim().split('\n').slice(-5)
    throw new RowFailure(kind, `${program} ${args[0] ?? ''}: ${lines.join(' | ')}`)
  }
  return stdout
}

/** Extracts some of a Debian package, without installing it. */
export const unpack = (archive, target, tarOptions, kind) => {
  const pipeline = 'set -o pipefail; a=$1 t=$2; shift 2; dpkg-deb --fsys-tarfile "$a" | tar -x -C "$t" "$@"'
  output('bash', ['-c', pipeline, 'bash', archive, target, ...tarOptions], { kind })
}
