// The addon for musl, under bun's build for musl. The loader is that of a system with musl, or of Debian's package musl;
// there, libstdc++ is the machine's own, with support/musl-shim.c.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { addPrograms, type Consumer, execute, makeConsumer, output } from './support/consumer.js'
import { expectWorking, parseReport } from './support/expectations.js'
import { nodePath, tarball, toolPath } from './support/tools.js'

const loader = '/lib/ld-musl-x86_64.so.1'
const bun = toolPath('bun-musl/bin/bun')

/** A directory with the libraries of a glibc system that bun for musl gets along with. */
const librariesForBun = (): string => {
  const directory = tempDir()
  for (const name of ['libstdc++.so.6', 'libgcc_s.so.1']) {
    const { stdout } = spawnSync('cc', [`-print-file-name=${name}`], { encoding: 'utf8' })
    cpSync(stdout.trim(), join(directory, name), { dereference: true })
  }
  const shim = 'ld-linux-x86-64.so.2'
  const link = ['-shared', '-fPIC', '-nostdlib', `-Wl,-soname,${shim}`, '-o', join(directory, shim)]
  spawnSync('cc', [...link, join(__dirname, 'support/musl-shim.c')], { stdio: 'inherit' })
  return directory
}

const runsHere = (consumer: Consumer): boolean => execute(consumer, [bun, '--version']).status === 0

afterEach(removeTempDirs)

test.each(['consumer.mjs', 'consumer.cjs'])('%s runs a command, a restricted one and a check', (program) => {
  if (!existsSync(loader)) return cannotTest(`there is no ${loader} (Debian: package musl)`)
  const node = nodePath(24)
  const consumer = makeConsumer(node)
  output(consumer, [node, toolPath('npm-11/bin/npm-cli.js'), 'install', '--no-audit', tarball])
  addPrograms(consumer)
  if (!runsHere(consumer)) consumer.environment.LD_LIBRARY_PATH = librariesForBun()

  expectWorking(parseReport(output(consumer, [bun, program])))
  // Where an addon is mapped tells nothing: it leaves its file.
  rmSync(join(consumer.directory, 'node_modules/bashward/prebuilds/linux-x64/bashward.glibc.node'))
  expectWorking(parseReport(output(consumer, [bun, program])))
})
