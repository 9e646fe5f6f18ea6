// --help and --version, which every command has.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../package-root.js'
import { paintReport } from '../colors.js'
import { ExitStatus } from '../command-line.js'
import { print } from '../stdio.js'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return version
}

const headings = /^(?:Usage|Commands|Options|Profiles|Output|Environment|Exit status|Examples?)(?=[:,])/gm

/** @returns the exit status, when it has been printed */
export async function printHelpOrVersion(wanted: 'help' | 'version', help: string): Promise<number> {
  const { stdout } = process
  if (wanted === 'version') await print(`${packageVersion()}\n`)
  else await print(help.replace(headings, (heading) => paintReport(stdout, 'bold', heading)))
  return ExitStatus.success
}
