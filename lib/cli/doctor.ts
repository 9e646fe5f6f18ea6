// `bashward doctor`: what Restricted mode can promise on this machine.

import { probeSandbox } from '../sandbox/probe.js'
import { parseOptions, UsageError } from './command-line.js'
import { doctorReport } from './doctor-report.js'
import { ExitStatus } from './exit-status.js'
import { doctorHelp } from './help.js'
import { paint, print, printJson } from './stdio.js'
import { packageVersion } from './version.js'

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
  if (values.help || values.version) {
    await print(values.help ? doctorHelp : `${packageVersion()}\n`)
    return ExitStatus.success
  }
  if (words.length > 0) throw new UsageError(program, `unexpected word '${words[0]}'`)
  const { stdout } = process
  stdout.on('error', () => {})
  const report = await probeSandbox()
  if (values.json) await printJson(report)
  else await print(doctorReport(report, (style, text) => paint(stdout, style, text)))
  return report.available ? ExitStatus.success : ExitStatus.noSandbox
}
