// What `bashward doctor` has found, for a person.

import { restrictedLimits } from '../limits/limits.js'
import { humanizeBytes } from '../output/bytes.js'
import type { SandboxReport } from '../sandbox/probe.js'

type Style = 'plain' | 'red' | 'dim'
type Cell = readonly [text: string, style?: Style]

/** Gives a text a colour, or leaves it. */
export type Paint = (style: Exclude<Style, 'plain'>, text: string) => string

const landlockStates: Record<SandboxReport['landlock']['state'], string> = {
  enabled: 'enabled',
  notBuiltIn: 'not in this kernel',
  disabledAtBoot: 'disabled at boot',
  blocked: 'blocked',
  requiresLinux: 'only on Linux',
  unknown: 'not known',
}

/** The machine, whether there is a Restricted mode, its protections and its limits, in aligned lines. */
export function doctorReport(report: SandboxReport, paint: Paint = (_, text) => text): string {
  return [machineRows(report), protectionRows(report), limitRows()]
    .map((rows) => table(rows, paint))
    .join('\n')
}

function machineRows({
  platform,
  kernel,
  architecture,
  landlock,
  available,
  reason = '',
}: SandboxReport): Cell[][] {
  const { abi, state } = landlock
  return [
    [['System'], [`${platform} ${kernel}, ${architecture}`]],
    [['Landlock'], [`${landlockStates[state]}${abi > 0 ? `, ABI ${abi}` : ''}`]],
    [['Restricted mode'], available ? ['available'] : [`not available: ${reason}`, 'red']],
  ]
}

function protectionRows({ protections, reason: reasonOfAll }: SandboxReport): Cell[][] {
  const rows = protections.map(({ name, enforced, mechanisms, reason = '' }): Cell[] => {
    if (enforced) return [[name], ['enforced'], [mechanisms.join(', ')]]
    // Where there is no Restricted mode at all, the reason has been given.
    return [[name], ['not available', 'red'], [reason === reasonOfAll ? '' : reason]]
  })
  return [heading('PROTECTION', 'STATE', 'BY'), ...rows]
}

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

/** Aligned before it is painted: escape sequences have no width. */
function table(rows: readonly Cell[][], paint: Paint): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, [text]] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, text.length)
    }
  }
  return rows
    .map((row) => {
      const end = row.findLastIndex(([text]) => text !== '')
      const cells = row.slice(0, end + 1).map(([text, style = 'plain'], column) => {
        const gap = column < end ? ' '.repeat((widths[column] ?? 0) - text.length + 2) : ''
        return `${style === 'plain' ? text : paint(style, text)}${gap}`
      })
      return `${cells.join('')}\n`
    })
    .join('')
}
