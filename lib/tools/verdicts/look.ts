// Looks with git what a command would discard: in Restricted mode, since a repository names programs that git runs, and
// for a moment only, since somebody waits.

import { quote } from '../../base/util/bash-quotes.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import { execution } from '../../commands/run/run.js'
import type { AtRisk } from '../../guard/verdicts/rules/discard.js'
import { bashProfile } from '../../processes/output/profile.js'

/** Where and how a look runs. */
export interface LookPlace {
  /** Those of Restricted mode. */
  options: ResolvedOptions
  cancel: AbortSignal | undefined
  /** Milliseconds for the look in one directory. Default 200. */
  limitMs?: number
}

/** What there is to lose. */
export interface Loss {
  kind: AtRisk['kind']
  count: number
  /** Of the first, at most {@link maxNames}. */
  names: readonly string[]
}

export const maxNames = 3
/** Entries of a log that are counted. */
export const maxCommits = 1000
const defaultLimitMs = 200

/**
 * @param directory an absolute path
 * @returns for each risk what it comes to, `count` 0 for nothing; undefined for what could not be found out. Never rejects.
 */
export async function look(
  directory: string,
  risks: readonly AtRisk[],
  { options, cancel, limitMs = defaultLimitMs }: LookPlace,
): Promise<(readonly Loss[] | undefined)[]> {
  const questions = risks.map(questionsOf)
  const script = `${functions}\n${questions.flat().join('\n')}\n`
  try {
    const { output } = await execution().execute(script, {
      ...options,
      cwd: directory,
      policyBase: directory,
      cancelSignal: cancel,
      session: undefined,
      timeoutMs: limitMs,
      termGraceMs: 0,
      killSurvivors: true,
      separateStreams: false,
      backgroundAfter: undefined,
      saveOutput: undefined,
      errorLines: undefined,
      onOutput: undefined,
      // A call has one mark, which is its command's.
      mark: undefined,
      output: bashProfile,
    })
    const answers = readAnswers(output)
    return risks.map((risk, index) => {
      const own = answers.splice(0, questions[index]?.length ?? 0)
      return own.length === questions[index]?.length ? lossesOf(risk, own) : undefined
    })
  } catch {
    // There is no sandbox, no such directory, …
    return risks.map(() => undefined)
  }
}

/**
 * `tell PATTERN COMMAND`: the command's exit status, how many of its lines match, and the first of them.
 *
 * What git would only do to be quick is off: fsmonitor is a program of the repository's.
 */
const functions = `
export GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0
g() {
  LC_ALL=C command git --no-pager -c core.quotePath=false -c core.fsmonitor=false -c core.hooksPath=/dev/null \\
    -c log.showSignature=false -c color.ui=false "$@" 2>/dev/null </dev/null
}
tell() {
  local pattern=$1 status line kept=() lines
  shift
  mapfile -t lines < <("$@"; printf '%d\\n' "$?")
  status=\${lines[-1]}
  unset 'lines[-1]'
  for line in "\${lines[@]}"; do
    [[ $line == $pattern ]] && kept+=("\${line:0:300}")
  done
  printf '%s %d\\n' "$status" "\${#kept[@]}"
  printf '  %s\\n' "\${kept[@]:0:${maxNames}}"
}
overwritten() {
  local by=$1 top name
  shift
  top=$(g rev-parse --show-toplevel) && g rev-parse -q --verify "$by^{tree}" >/dev/null || return
  while IFS= read -rd '' name; do
    if [[ -e $top/$name || -L $top/$name ]]; then printf '%q\\n' "$name"; fi
  done < <(g diff --name-only -z --no-relative --no-renames --no-ext-diff --diff-filter=A HEAD "$by" -- "$@")
}
log() {
  g log --format='%h %s' --no-show-signature --max-count=${maxCommits} "$@" --
}
commits() {
  local branch gone=() kept=() elsewhere=()
  for branch in "$@"; do
    shift
    [[ $branch == -- ]] && break
    kept+=("$branch")
  done
  g rev-parse --git-dir >/dev/null || return
  (($#)) || set -- "$(g symbolic-ref -q HEAD || echo HEAD)"
  for branch in "$@"; do
    g rev-parse -q --verify "$branch^{commit}" >/dev/null && gone+=("$branch")
  done
  ((\${#gone[@]})) || return 0
  for branch in refs/heads refs/remotes refs/tags; do
    elsewhere+=("\${gone[@]/#/--exclude=}" "--glob=$branch")
  done
  log "\${gone[@]}" --not "\${kept[@]}" "\${elsewhere[@]}"
}`

const command = (...words: readonly string[]): string => words.map(quote).join(' ')

const tell = (pattern: string, ...words: readonly string[]): string =>
  `tell ${quote(pattern)} ${command(...words)}`

/** Commands that each give one answer. */
function questionsOf(risk: AtRisk): string[] {
  const status = ['status', '--porcelain', '--no-renames', '--ignore-submodules=dirty']
  switch (risk.kind) {
    case 'changes':
      // The first letter is about the index.
      return [tell(risk.staged ? '*' : '?[! ]*', 'g', ...status, '-uno', '--', ...risk.pathspecs)]
    case 'overwritten':
      return [tell('*', 'overwritten', risk.by, ...risk.pathspecs)]
    case 'untracked':
      return [tell('Would remove *', 'g', 'clean', '-n', ...risk.options, '--', ...risk.pathspecs)]
    case 'stashes':
      return [tell('*', 'g', 'stash', 'list', '--format=%gs')]
    case 'commits':
      return [tell('*', 'commits', ...risk.kept, '--', ...risk.branches)]
    case 'reflog':
      return [tell('*', 'log', '--reflog', '--not', '--all')]
    case 'worktree': {
      const there = ['-C', risk.path]
      const elsewhere = ['--not', '--branches', '--remotes', '--tags']
      return [
        tell('*', 'g', ...there, ...status, '-unormal'),
        tell('*', 'g', ...there, 'log', '--format=%h %s', `--max-count=${maxCommits}`, 'HEAD', ...elsewhere),
      ]
    }
  }
}

interface Answer {
  isAnswered: boolean
  count: number
  lines: string[]
}

function readAnswers(output: string): Answer[] {
  const answers: Answer[] = []
  for (const line of output.split('\n')) {
    if (line.startsWith('  ')) {
      if (line.length > 2) answers.at(-1)?.lines.push(line.slice(2))
      continue
    }
    const [, status, count] = /^(\d{1,3}) (\d{1,9})$/.exec(line) ?? []
    if (status !== undefined) answers.push({ isAnswered: status === '0', count: Number(count), lines: [] })
  }
  return answers
}

function lossesOf(risk: AtRisk, answers: readonly Answer[]): readonly Loss[] | undefined {
  if (!answers.every(({ isAnswered }) => isAnswered)) return undefined
  const [{ count, lines } = { count: 0, lines: [] }, commits] = answers
  switch (risk.kind) {
    case 'changes':
      return [{ kind: risk.kind, count, names: lines.map((line) => line.slice(3)) }]
    case 'untracked':
      return [{ kind: risk.kind, count, names: lines.map((line) => line.slice('Would remove '.length)) }]
    case 'stashes': {
      const { entry } = risk
      if (entry === undefined) return [{ kind: risk.kind, count, names: lines }]
      return [{ kind: risk.kind, count: count > entry ? 1 : 0, names: lines.slice(entry, entry + 1) }]
    }
    case 'worktree':
      return [
        { kind: risk.kind, count, names: lines.map((line) => line.slice(3)) },
        { kind: 'commits', count: commits?.count ?? 0, names: commits?.lines ?? [] },
      ]
    default:
      return [{ kind: risk.kind, count, names: lines }]
  }
}
