// `bashward doctor`: which engine runs commands on this machine, and what its sandbox can promise.

import { projectDirectory } from '../../guard/sandbox/find-bash.js'
import { probeSandbox, type SandboxReport, type WorkspaceReport } from '../../guard/sandbox/probe.js'
import { restrictedLimits } from '../../guard/sandbox/resource-limits.js'
import { packageRoot } from '../../package-root.js'
import { type EngineReport, reportEngine } from '../../processes/engine/report.js'
import { humanizeBytes } from '../../processes/output/bytes.js'
import { type Paint, paintReport } from './colors.js'
import { commonOptions, ExitStatus, parseOptions, UsageError } from './command-line.js'
import { doctorHelp } from './help/doctor.js'
import { printHelpOrVersion } from './help/print.js'
import { countedBy } from './locale.js'
import { changeablePlace, cure } from './own-place.js'
import { print, printJson, widthOf } from './stdio.js'
import { type Cell, type TableOptions, table } from './text-table.js'
import { rememberAcrossPrograms } from './writable-memory.js'

const program = 'bashward doctor'

const options = {
  json: { type: 'boolean' },
  ...commonOptions,
} as const

/**
 * @param args the words after `doctor`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 */
export async function doctorCommand(args: string[]): Promise<number> {
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return await printHelpOrVersion('help', doctorHelp)
  if (values.version) return await printHelpOrVersion('version', doctorHelp)
  if (words.length > 0) throw new UsageError(program, `unexpected word '${words[0]}'`)
  const { stdout } = process
  const engine = await reportEngine()
  rememberAcrossPrograms()
  const countsBy = await countedBy()
  const sandbox = await probeSandbox()
  const report = { ...sandbox, engine, program: programReport(), ...(countsBy !== undefined && { countsBy }) }
  if (values.json) await printJson(report)
  else {
    const paint: Paint = (style, text) => paintReport(stdout, style, text)
    await print(doctorReport(report, { width: widthOf(stdout), paint }))
  }
  return report.available ? ExitStatus.success : ExitStatus.noSandbox
}

/** What `bashward doctor --json` prints. */
export type DoctorReport = SandboxReport & {
  engine: EngineReport
  program: ProgramReport
  /** What bash and other programs count in commands: bytes, where the environment names no locale that is installed. */
  countsBy?: 'characters' | 'bytes'
}

/** Where this program is. */
export interface ProgramReport {
  path: string
  /** What is wrong with that: commands can change it by this directory. */
  changeable?: { by: string; path: string; reason: 'workingDirectory' | 'earlierCommands' }
}

function programReport(): ProgramReport {
  const path = process.argv[1] ?? packageRoot
  const directory = projectDirectory()
  const place = changeablePlace(directory === undefined ? [] : [directory])
  if (place === undefined) return { path }
  const reason = place.now ? 'workingDirectory' : 'earlierCommands'
  return { path, changeable: { by: place.root, path: place.path, reason } }
}

const landlockStates: Record<SandboxReport['landlock']['state'], string> = {
  enabled: 'enabled',
  notBuiltIn: 'not in this kernel',
  disabledAtBoot: 'disabled at boot',
  blocked: 'blocked',
  requiresLinux: 'only on Linux',
  unknown: 'not known',
}

/** The machine, its engine, which modes there are, the protections and limits, in aligned lines. */
export function doctorReport(
  report: DoctorReport,
  { width, paint }: Pick<TableOptions, 'width' | 'paint'> = {},
): string {
  return [machineRows(report), protectionRows(report), ...noteRows(report), limitRows()]
    .map((rows) => table(rows, { overflow: 'wrap', width, paint }))
    .join('\n')
}

function machineRows(report: DoctorReport): Cell[][] {
  const { platform, kernel, architecture, landlock, engine, workspace } = report
  const { abi, state } = landlock
  return [
    [['System'], [`${platform} ${kernel}, ${architecture}`]],
    ...engineRows(engine),
    [['Landlock'], [`${landlockStates[state]}${abi > 0 ? `, ABI ${abi}` : ''}`]],
    [['Restricted mode'], availability(report, report.protections)],
    [['Workspace mode'], availability(workspace, report.protections)],
    ...programRows(report.program),
    ...(report.countsBy === 'bytes' ? [localeRow] : []),
  ]
}

const localeRow: Cell[] = [
  ['Locale'],
  ['none: ${#x}, cut -c and grep -P count bytes; LANG or LC_ALL has to name one that is installed', 'yellow'],
]

function programRows({ changeable }: ProgramReport): Cell[][] {
  if (changeable === undefined) return []
  const { path, by, reason } = changeable
  const why =
    reason === 'workingDirectory'
      ? `where commands can write when it is their workspace`
      : 'where commands of an earlier run could write'
  return [[['Program'], [`${path} is in ${by}, ${why}: ${cure}`, 'yellow']]]
}

function engineRows({ name, reason, lacks }: EngineReport): Cell[][] {
  const engine: Cell = name === null ? [`none: ${reason}`, 'red'] : [`${name}: ${reason}`]
  return [[['Engine'], engine], ...lacks.map((lack): Cell[] => [[''], [`cannot: ${lack}`, 'dim']])]
}

function availability(
  { available, reason }: WorkspaceReport,
  protections: SandboxReport['protections'],
): Cell {
  if (!available) return [`not available: ${reason}`, 'red']
  const missing = protections.filter(({ enforced }) => !enforced).map(({ name }) => name)
  return missing.length === 0
    ? ['available', 'green']
    : [`available, without ${missing.join(', ')}`, 'yellow']
}

function protectionRows({ available, protections, reason: reasonOfAll }: SandboxReport): Cell[][] {
  const rows = protections.map(({ name, enforced, mechanisms, reason = '' }): Cell[] => {
    if (enforced) return [[name], ['enforced', 'green'], [mechanisms.join(', ')]]
    // Where there is no Restricted mode at all, the reason has been given.
    return [[name], ['not available', available ? 'yellow' : 'red'], [reason === reasonOfAll ? '' : reason]]
  })
  return [heading('PROTECTION', 'STATE', 'BY'), ...rows]
}

/** What the protections mean where a command has directories to write to. */
function noteRows({ workspace }: DoctorReport): Cell[][][] {
  if (!workspace.available) return []
  return [notes.map((note): Cell[] => [[note, 'dim']])]
}

const notes = [
  'In Workspace mode filesystem and metadata hold outside of the writable directories.',
  'network and unixSockets leave out sockets among the processes of a command, and the hosts that a policy lists.',
  "Code that the host has loaded from a writable directory can be changed by commands; hostCode: 'refuse' refuses that.",
]

function limitRows(): Cell[][] {
  const { cpuSeconds, memoryBytes, fileSizeBytes, openFiles, processes } = restrictedLimits({})
  return [
    heading('LIMIT', 'UNLESS SET OTHERWISE'),
    [['cpuSeconds'], [`${cpuSeconds}s of each process`]],
    [['memoryBytes'], [`${humanizeBytes(memoryBytes)} of each process`]],
    [['fileSizeBytes'], [humanizeBytes(fileSizeBytes)]],
    [['openFiles'], [`${openFiles} of each process`]],
    [['processes'], [`${processes} more than there are; none for root`]],
  ]
}

function heading(...titles: string[]): Cell[] {
  return titles.map((title) => [title, 'dim'])
}
