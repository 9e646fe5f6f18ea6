// --help and --version, which every command has.

import { paintReport } from './colors.js'
import { ExitStatus } from './exit-status.js'
import { print } from './stdio.js'
import { packageVersion } from './version.js'

const headings = /^(?:Usage|Commands|Options|Profiles|Output|Environment|Exit status|Examples?)(?=[:,])/gm

/** @returns the exit status, when it has been printed */
export async function printHelpOrVersion(wanted: 'help' | 'version', help: string): Promise<number> {
  const { stdout } = process
  if (wanted === 'version') await print(`${packageVersion()}\n`)
  else await print(help.replace(headings, (heading) => paintReport(stdout, 'bold', heading)))
  return ExitStatus.success
}
