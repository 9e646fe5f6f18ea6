// A directory with a Node in which sanitized addons can be loaded, and with the addon and the supervisor.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OPTIONS = {
  ASAN_OPTIONS: [
    // Node frees nothing at process.exit(): hundreds of leaks, and ten seconds to look at them, for each program. The
    // tests themselves end without it, and are started with detect_leaks=1.
    'detect_leaks=0',
    'detect_stack_use_after_return=1',
    'strict_string_checks=1',
    'check_initialization_order=1',
  ],
  UBSAN_OPTIONS: ['print_stacktrace=1'],
}

/** A line of a stack: as by default, and the module, which reports.mjs looks for. */
const FRAME = `stack_trace_format='    #%n %p %F %L %M'`

/** In a double-quoted word of sh. What the caller has set follows, and is decisive where it says something else. */
const assignment = (name, value, separator) => `export ${name}="${value}\${${name}:+${separator}$${name}}"`

const launcher = ({ directory, reports, runtime }) =>
  [
    '#!/bin/sh',
    '# Node, sanitized.',
    // Before all other libraries. One that a test preloads comes after it.
    assignment('LD_PRELOAD', runtime, ' '),
    assignment('NODE_OPTIONS', `--require ${join(directory, 'preload.cjs')}`, ' '),
    ...Object.entries(OPTIONS).map(([name, options]) => {
      const log = `log_path=${join(reports, name.slice(0, 4).toLowerCase())}`
      return assignment(name, [...options, FRAME, log].join(':'), ':')
    }),
    // Wherever the package is, and whatever is built there.
    `export BASHWARD_PREBUILD="\${BASHWARD_PREBUILD:-${directory}}"`,
    `exec '${process.execPath}' "$@"`,
    '',
  ].join('\n')

/**
 * Makes it. Everybody may read it, and write reports: some tests run as an ordinary user.
 *
 * @param {{ addon: string, supervisor: string, runtime: string }} files of the build; the runtime is the library that
 *   has to be loaded before all others
 * @returns {{ node: string, reports: string, remove: () => void }} the launcher, which takes the arguments of Node, and
 *   the directory of the reports
 */
export function makeLauncher({ addon, supervisor, runtime }) {
  const directory = mkdtempSync(join(tmpdir(), 'bashward-sanitized-'))
  const [release, reports] = [join(directory, 'build/Release'), join(directory, 'reports')]
  const node = join(directory, 'node')
  chmodSync(directory, 0o755)
  mkdirSync(release, { recursive: true })
  mkdirSync(reports)
  chmodSync(reports, 0o1777)
  copyFileSync(addon, join(release, 'bashward.node'))
  copyFileSync(supervisor, join(release, 'bashward-supervisor'))
  // It starts with an empty environment.
  writeFileSync(join(release, 'sanitizer-options'), `log_path=${join(reports, 'supervisor')}\n`)
  copyFileSync(fileURLToPath(new URL('preload.cjs', import.meta.url)), join(directory, 'preload.cjs'))
  writeFileSync(node, launcher({ directory, reports, runtime }), { mode: 0o755 })
  return { node, reports, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
