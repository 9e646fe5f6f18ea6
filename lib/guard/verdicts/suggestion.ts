// Which rules somebody might want who allows a command and does not want to be asked again.

import { wrappers } from '../safety/wrappers/table.js'
import { names } from './read-only/form.js'

const maxPrefixes = 5

/** Programs that run whatever they are given, or for which the first words say too little. */
const never = new Set([
  ...wrappers.keys(),
  ...names(
    '. source eval exec trap alias sh bash dash zsh ksh fish csh tcsh busybox su ssh scp rsync sftp telnet nc ncat socat',
  ),
  ...names(
    'python python2 python3 pypy node nodejs deno bunx tsx perl ruby php lua awk gawk mawk sed ed vim vi emacs',
  ),
  ...names(
    'npx pnpx uvx pipx docker podman nerdctl rm dd curl wget tee make gdb strace script tmux screen at crontab',
  ),
])

/** Programs whose first operands are sub-commands, and how many. */
const subcommands: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    names(
      'git npm pnpm yarn bun cargo go pip pip3 uv poetry gem bundle composer dotnet mvn gradle gradlew terraform kubectl helm ' +
        'brew apt apt-get dnf systemctl rustup nx turbo just rake mix',
    ).map((name) => [name, 1] as const),
  ),
  gh: 2,
  aws: 2,
  gcloud: 2,
}

/** Those that run what follows, and for which the next word tells what. */
const runners = new Set(names('run run-script'))
/** Sub-commands that run anything, or change what others run. */
const neverSub = new Set(names('exec x dlx config alias dev shell'))

/** @param words of each command that asks, as far as they are certain; undefined where something else asks */
export function suggest(commands: readonly (readonly string[] | undefined)[]): string[][] | null {
  const prefixes = new Map<string, string[]>()
  for (const words of commands) {
    const prefix = words && prefixOf(words)
    if (prefix === undefined) return null
    prefixes.set(prefix.join('\0'), prefix)
  }
  return prefixes.size === 0 || prefixes.size > maxPrefixes ? null : [...prefixes.values()]
}

function prefixOf([program = '', ...rest]: readonly string[]): string[] | undefined {
  // No rule has such a name.
  if (program === '' || /[\s/]/.test(program)) return undefined
  if (never.has(program) || /^python[\d.]+$/.test(program)) return undefined
  const prefix = [program]
  let left = subcommands[program] ?? 0
  while (left > 0) {
    const word = rest[prefix.length - 1]
    if (word === undefined || !/^[\w][\w:.-]*$/.test(word) || neverSub.has(word)) return undefined
    prefix.push(word)
    // `npm run test`, and not `npm run`.
    if (!runners.has(word) || program === 'go' || program === 'cargo') left--
    if (prefix.length > 3) return undefined
  }
  return prefix
}
