// `bashward doctor`: which engine runs commands on this machine, and what Restricted mode can promise.

import { reportEngine } from '../engine/report.js'
import { probeSandbox } from '../sandbox/probe.js'
import { type Paint, paintReport } from './colors.js'
import { parseOptions, UsageError } from './command-line.js'
import { doctorReport } from './doctor-report.js'
import { ExitStatus } from './exit-status.js'
import { doctorHelp } from './help.js'
import { printHelpOrVersion } from './help-or-version.js'
import { print, printJson, widthOf } from './stdio.js'

const program = 'bashward doctor'

const options = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
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
  stdout.on('error', () => {})
  const engine = await reportEngine()
  const report = { ...(await probeSandbox()), engine }
  if (values.json) await printJson(report)
  else {
    const paint: Paint = (style, text) => paintReport(stdout, style, text)
    await print(doctorReport(report, { width: widthOf(stdout), paint }))
  }
  return report.available ? ExitStatus.success : ExitStatus.noSandbox
}
