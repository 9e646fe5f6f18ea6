// The policy of `bashward check`: from files of rules, and from those of other programs.

import { readFileSync } from 'node:fs'
import { BashError, messageOf } from '../errors.js'
import { importClaudeSettings, importCodexRules, loadPolicy } from '../verdicts/policies.js'
import type { Imported } from '../verdicts/policy/import.js'
import { Policy, type PolicyData } from '../verdicts/policy/policy.js'

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
