// The rules that `bashward check` and `bashward mcp` judge commands by: from files of rules, and from those of other programs.

import { readFileSync } from 'node:fs'
import { BashError, messageOf } from '../../base/errors.js'
import { importClaudeSettings, importCodexRules, loadPolicy } from '../../guard/verdicts/policies.js'
import type { Imported } from '../../guard/verdicts/policy/import.js'
import { Policy, type PolicyData } from '../../guard/verdicts/policy/policy.js'
import { UsageError } from './command-line.js'
import { writeText } from './stdio.js'

export const policyOptions = {
  policy: { type: 'string', multiple: true },
  'claude-settings': { type: 'string', multiple: true },
  'codex-rules': { type: 'string', multiple: true },
  lenient: { type: 'boolean' },
} as const

type PolicyValues = {
  [Name in keyof typeof policyOptions]?: (Name extends 'lenient' ? boolean : string[]) | undefined
}

/**
 * Of the options of a command; what was left out is told on stderr.
 *
 * @param others options that go with rules only
 * @returns undefined where no rules are given
 * @throws {UsageError}
 * @throws {BashError} ERR_POLICY with the path
 */
export async function policyOf(
  program: string,
  values: PolicyValues,
  others: Readonly<Record<string, boolean | undefined>> = {},
): Promise<Policy | undefined> {
  const { policy = [], lenient = false } = values
  const { 'claude-settings': claudeSettings = [], 'codex-rules': codexRules = [] } = values
  if (policy.length + claudeSettings.length + codexRules.length === 0) {
    const [option] = Object.entries({ lenient, ...others }).find(([, value]) => value) ?? []
    if (option === undefined) return undefined
    throw new UsageError(program, `--${option} goes with --policy, --claude-settings or --codex-rules`)
  }
  const read = readPolicy({ policy, claudeSettings, codexRules, lenient })
  for (const line of read.leftOut) await writeText(process.stderr, `${program}: ${line}\n`)
  return read.policy
}

/** Paths, as they are given. */
export interface PolicyFiles {
  policy: readonly string[]
  claudeSettings: readonly string[]
  codexRules: readonly string[]
  /** Whether rules without a counterpart are left out, also those that ask or deny. */
  lenient: boolean
}

export interface ReadPolicy {
  policy: Policy
  /** What was left out, a line each. */
  leftOut: string[]
}

/** @throws {BashError} ERR_POLICY with the path */
export function readPolicy({ policy, claudeSettings, codexRules, lenient }: PolicyFiles): ReadPolicy {
  const imports: [path: string, Imported][] = [
    ...claudeSettings.map((from): [string, Imported] => {
      return [from, importClaudeSettings(readJson(from), { from, lenient })]
    }),
    ...codexRules.map((from): [string, Imported] => [from, importCodexRules(read(from), { from, lenient })]),
  ]
  const policies = [...policy.map(load), ...imports.map(([, imported]) => imported.policy)]
  return {
    policy: new Policy(
      policies.flatMap(({ rules }) => rules),
      policies.flatMap(({ off }) => off),
    ),
    leftOut: imports.flatMap(([path, { refused }]) =>
      refused.map(({ text, why }) => `${path}: ${text} ${why}: left out`),
    ),
  }
}

/** Errors name the file, unless its data says what they shall name. */
function load(path: string): Policy {
  const data = readJson(path)
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  if (!isObject) throw new BashError('ERR_POLICY', `${path}: must have an object: {"rules": […]}`)
  return loadPolicy({ from: path, ...data } as PolicyData)
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(read(path))
  } catch (cause) {
    if (BashError.isInstance(cause)) throw cause
    throw new BashError('ERR_POLICY', `${path}: must be JSON: ${messageOf(cause)}`, { cause })
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new BashError('ERR_POLICY', `${path}: cannot be read: ${messageOf(cause)}`, { cause })
  }
}
