// How many commands of the corpus each agent runs without asking, by the ports of their rules in this folder; and whether
// the commands that got past them are allowed here. Nothing runs.

import { readFileSync } from 'node:fs'
import { claudeCodeWith } from './claude-code.mjs'
import { codex, codexWithGit } from './codex.mjs'
import { crush } from './crush.mjs'

const linesOf = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'))

/** What it says of the attempts is ours, and tells nothing. */
const estimate = "Claude Code's documented programs, their options judged by bashward"

/** Agents whose rules are ported, as the second file names them. */
const ports = { 'codex 226bd15': codex, 'codex 55dfa3c': codexWithGit, 'crush 37f36e9': crush }

/** @param {(command: string) => { decision: string } | Promise<{ decision: string }>} judge */
export const comparePeers = async (judge) => {
  const ours = async (command) => (await judge(command)).decision === 'allow'
  const rows = {
    bashward: ours,
    'codex at 55dfa3c, with git': codexWithGit,
    'codex at 226bd15, without git': codex,
    'crush at 37f36e9': crush,
    [estimate]: claudeCodeWith(judge),
  }
  const corpus = { ordinary: linesOf('../corpus/ordinary.txt'), attempts: linesOf('../corpus/attempts.txt') }
  const count = async (isAllowed, commands) => {
    const answers = await Promise.all(commands.map(isAllowed))
    return answers.filter(Boolean).length
  }
  const table = []
  for (const [name, isAllowed] of Object.entries(rows)) {
    const ordinary = await count(isAllowed, corpus.ordinary)
    const attempts = name === estimate ? '-' : await count(isAllowed, corpus.attempts)
    table.push({ name, ordinary, attempts })
  }

  const faults = []
  for (const line of linesOf('bypasses.txt')) {
    const [peer, command] = line.split('\t')
    if (await ours(command)) faults.push(`allowed: ${command}`)
    if (ports[peer]?.(command) === false) faults.push(`the port of ${peer} does not allow: ${command}`)
  }
  return { sizes: { ordinary: corpus.ordinary.length, attempts: corpus.attempts.length }, table, faults }
}

/** As a table of Markdown. */
export const showComparison = ({ sizes, table }) =>
  [
    `| | of ${sizes.ordinary} ordinary commands | of ${sizes.attempts} attempts |`,
    '|---|---|---|',
    ...table.map(
      ({ name, ordinary, attempts }) =>
        `| ${name} | ${ordinary} (${((100 * ordinary) / sizes.ordinary).toFixed(1)} %) | ${attempts} |`,
    ),
  ].join('\n')
