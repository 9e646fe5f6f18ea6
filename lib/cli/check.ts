// `bashward check`: the verdict on a command, or on each of a stream of commands; none is run.

import { checkCommandText } from '../run/command-text.js'
import { signalStatus } from '../run/exit-status.js'
import { checkCommand } from '../safety/check-command.js'
import { rejectionText } from '../tools/bash-text.js'
import { resolveDirectory } from '../util/directories.js'
import { answerLines } from './check-lines.js'
import { paint } from './colors.js'
import { commonOptions, ExitStatus, parseDirectory, parseLeadingOptions, UsageError } from './command-line.js'
import { checkHelp, printHelpOrVersion } from './help.js'
import { print, printJson, writeText } from './stdio.js'

const program = 'bashward check'

const options = {
  cwd: { type: 'string' },
  json: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  ...commonOptions,
} as const

/**
 * @param args the words after `check`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 */
export async function checkProgram(args: string[]): Promise<number> {
  const { values, words } = parseLeadingOptions(program, args, options)
  if (values.help) return await printHelpOrVersion('help', checkHelp)
  if (values.version) return await printHelpOrVersion('version', checkHelp)
  const workingDir = resolveDirectory('--cwd', parseDirectory(program, values.cwd))
  if (!values.jsonl) {
    if (words.length === 0) throw new UsageError(program, 'no command given')
    return await checkOne(words.join(' '), workingDir, values.json === true)
  }
  if (words.length > 0)
    throw new UsageError(program, '--jsonl reads commands from stdin, and takes none here')
  if (values.json)
    throw new UsageError(program, '--json cannot be used with --jsonl, which prints JSON anyway')
  return await checkStream(workingDir)
}

/** The verdict goes to stdout: it is what was asked for, and a script can catch it. */
async function checkOne(command: string, workingDir: string, json: boolean): Promise<number> {
  checkCommandText(command)
  const verdict = await checkCommand(command, { workingDir, terminal: false })
  if (json) await printJson(verdict)
  if (verdict.allowed) return ExitStatus.success
  const { stdout } = process
  if (!json) await print(`${paint(stdout, 'red', rejectionText(verdict.rule, verdict.message))}\n`)
  return ExitStatus.checkedAndRefused
}

async function checkStream(workingDir: string): Promise<number> {
  let status: number = ExitStatus.success
  for await (const answer of answerLines(process.stdin, workingDir)) {
    if ('error' in answer) status = ExitStatus.toolFailed
    if (!(await writeText(process.stdout, `${JSON.stringify(answer)}\n`))) return signalStatus('SIGPIPE')
  }
  return status
}
