// `bashward check`: the verdict on a command, or on each of a stream of commands; none is run.

import { resolveDirectory } from '../../base/util/directories.js'
import { checkCommandText } from '../../commands/run/command-text.js'
import { signalStatus } from '../../commands/run/exit-status.js'
import { checkCommand } from '../../guard/safety/check-command.js'
import { judgeCommand } from '../../guard/verdicts/judge-command.js'
import type { Decision, Judgement } from '../../guard/verdicts/judgement.js'
import type { Policy } from '../../guard/verdicts/policy/policy.js'
import { rejectionText } from '../../tools/bash-text.js'
import { answerLines, type Judge } from './check-lines.js'
import { policyOf, policyOptions } from './check-policy.js'
import { paint } from './colors.js'
import { commonOptions, ExitStatus, parseDirectory, parseLeadingOptions, UsageError } from './command-line.js'
import { checkHelp } from './help/check.js'
import { printHelpOrVersion } from './help/print.js'
import { print, printJson, writeText } from './stdio.js'

const program = 'bashward check'

const options = {
  cwd: { type: 'string' },
  json: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  ...policyOptions,
  explain: { type: 'boolean' },
  test: { type: 'boolean' },
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
  const policy = await policyOf(program, values, { test: values.test })
  if (values.test) return await reportRules(policy, words)
  if (!values.jsonl) {
    if (words.length === 0) throw new UsageError(program, 'no command given')
    const command = words.join(' ')
    const { json = false, explain = false } = values
    return policy === undefined && !explain
      ? await checkOne(command, workingDir, json)
      : await judgeOne(command, { workingDir, ...(policy && { policy }) }, { json, explain })
  }
  if (words.length > 0)
    throw new UsageError(program, '--jsonl reads commands from stdin, and takes none here')
  if (values.json)
    throw new UsageError(program, '--json cannot be used with --jsonl, which prints JSON anyway')
  return await answerStream(
    policy === undefined
      ? (command, directory) => verdictOn(command, directory)
      : (command, directory) => judgeCommand(command, { workingDir: directory, policy }),
    workingDir,
  )
}

/** Their examples have been checked when they were loaded. */
async function reportRules(policy: Policy | undefined, [word]: string[]): Promise<number> {
  if (word !== undefined) throw new UsageError(program, '--test takes no command')
  const count = policy?.rules.length ?? 0
  await print(`${count} rule${count === 1 ? '' : 's'}, as their examples say\n`)
  return ExitStatus.success
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

const verdictOn: Judge = async (command, workingDir) => {
  const { allowed, rule, message } = await checkCommand(command, { workingDir, terminal: false })
  return { allowed, rule, message }
}

async function judgeOne(
  command: string,
  options: { workingDir: string; policy?: Policy },
  { json, explain }: { json: boolean; explain: boolean },
): Promise<number> {
  checkCommandText(command)
  const judgement = await judgeCommand(command, options)
  const { decision, reasons } = judgement
  if (json) await printJson(judgement)
  else if (explain) await print(explanation(judgement))
  else if (decision !== 'allow')
    await print(
      linesOf(
        decision,
        reasons.map(({ message }) => message),
      ),
    )
  return statusOf[decision]
}

const statusOf: Readonly<Record<Decision, number>> = {
  allow: ExitStatus.success,
  deny: ExitStatus.checkedAndRefused,
  ask: ExitStatus.checkedAndAsks,
}

const styles = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** A line for each, strictest first: the decision is that of the first. */
function linesOf(decision: Decision, messages: readonly string[]): string {
  const label = `[${decision}]`
  const [first = 'every command is known to only read', ...others] = messages
  const lines = others.map((message) => `${' '.repeat(label.length)} ${message}\n`)
  return `${paint(process.stdout, styles[decision], label)} ${first}\n${lines.join('')}`
}

function explanation({ decision, reasons, suggestion, repository }: Judgement): string {
  const lines = [
    linesOf(
      decision,
      reasons.map(({ message }) => message),
    ),
  ]
  if (repository) lines.push('What git runs may depend on the configuration of the repository.\n')
  for (const prefix of suggestion ?? []) {
    lines.push(`A rule that allows it: ${JSON.stringify({ prefix, decision: 'allow' })}\n`)
  }
  return lines.join('')
}

async function answerStream(judge: Judge, workingDir: string): Promise<number> {
  let status: number = ExitStatus.success
  for await (const answer of answerLines(process.stdin, workingDir, judge)) {
    if ('error' in answer) status = ExitStatus.toolFailed
    if (!(await writeText(process.stdout, `${JSON.stringify(answer)}\n`))) return signalStatus('SIGPIPE')
  }
  return status
}
