// --help and --version, which every command has.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import { paintReport } from './colors.js'
import { ExitStatus } from './command-line.js'
import { print } from './stdio.js'

export const mainHelp = `Usage: bashward COMMAND [ARGUMENTS]

The bash tool for LLM agents, on the command line.

Commands:
  run        run a command as an agent's bash tool would
  check      tell whether a command would be refused, without running it
  jobs       list, read, wait for and kill background jobs
  doctor     show which engine runs here, and what the sandbox enforces
  mcp        serve the tools over MCP, on stdin and stdout or over HTTP
  worker     run the commands of a fleet on this machine

Options:
  -h, --help     this text; 'bashward COMMAND --help' explains a command
      --version  the version

Environment:
  NO_COLOR     no colours
  FORCE_COLOR  colours even without a terminal, except in what programs read:
               the output of commands, status lines, verdicts and JSON

Example:
  bashward run --timeout 5 'make test'
`

export const runHelp = `Usage: bashward run [OPTIONS] [--] COMMAND...
       bashward run [OPTIONS] [--] -

Runs COMMAND with bash, as an agent's bash tool would: without a terminal, and
without the secrets in your environment. It reads what is piped into bashward,
or the file that is its stdin, and else nothing; a background job reads nothing.
At the timeout it is killed with everything it has started.

Several words are joined with spaces, as ssh does: quote what your own shell
should not expand. Options come before the first word; the rest belongs to the
command. Put '--' before a command that begins with a dash. A lone dash reads
the command from stdin, up to 4 MiB.

Options:
      --mode MODE        default (30 seconds), slow (15 minutes), or background:
                         starts a job that runs on its own (24 hours);
                         'bashward jobs' shows it
      --timeout SECONDS  another timeout, 0.001 to 86400
      --profile PROFILE  act as which tool: bash (default), exec or suite
      --cwd DIR          run it there; default: the current directory
      --restricted       in Restricted mode: it can read and compute, but not
                         write files or reach a network or other processes;
                         where that cannot be enforced, it does not run
      --scratch          with --restricted: it can write to $TMPDIR
      --workspace DIR    in Workspace mode: the same, but it can change files
                         below DIR, where it runs without --cwd, write to
                         $TMPDIR, and test servers of its own on localhost;
                         the usual files with keys and passwords it cannot read
      --writable DIR     with --workspace: files below DIR, too; may be repeated
      --unreadable PATH  with --workspace: PATH cannot be read, either; may be
                         repeated
      --allow-domain D   with --workspace: it can reach the host D, such as
                         registry.example, *.example.org or db.example:5432,
                         over HTTP and HTTPS; may be repeated
      --shared-memory    with --workspace: it can use /dev/shm
      --login-env        with what your start-up files set (nvm, pyenv, direnv):
                         a login shell reads them in the same mode
      --no-safety        run it even if a safety rule refuses it, see
                         'bashward check --help'
      --json             print the result as one JSON document, and no output
  -h, --help             this text
      --version          the version

Profiles:
  bash   stdout and stderr in their exact order, on stdout
  exec   stdout and stderr apart, the first 1 MiB of each; the environment
         unchanged, with its secrets; no modes
  suite  rendered as on a terminal, at most 30000 characters: the first and last
         half; 120 seconds, --timeout up to 600; no slow mode

Output: a terminal gets it live. A flood is shown in part, with a marker such as
[... 3.1MB skipped ...] where something is missing. A pipe or a file gets all of
it, up to 1 GiB, except what the profile itself leaves out. Output is text: NULs
and invalid UTF-8 are replaced. Status lines such as
[command failed: exit code 3] go to stderr.

Exit status: the command's, or
  124    it timed out
  125    bashward failed, or was called incorrectly
  126    a safety rule refused it: it did not run
  130    cancelled by Ctrl-C, which kills everything the command has started
  128+n  ended by signal n

Examples:
  bashward run ls -la
  bashward run 'cd src && grep -rn TODO . | head'
  bashward run --mode slow --json -- npm test
  bashward run --workspace . --allow-domain registry.example npm ci
  bashward run - < script.sh
`

export const checkHelp = `Usage: bashward check [--cwd DIR] [--json] [--] COMMAND...
       bashward check --policy FILE [--explain] [--json] [--] COMMAND...
       bashward check --jsonl [--cwd DIR] [--policy FILE]

Tells whether a safety rule refuses COMMAND, without running it. Prints nothing
if it is allowed, else the rule, the reason, and a safer command.

Refused, anywhere in the command:
  git-add-blind   git add -A, --all, . or *
  git-push-force  git push --force, -f or --mirror; --force-with-lease is
                  allowed
  rm-dangerous    rm -rf of /, ~, ~/.ssh, system directories, .git, * or .*
  needs-terminal  vim, watch, top and the like, if they would wait for a
                  terminal until the timeout

This guards against mistakes and is not a security boundary: a program can do
the same by other means. To confine it use 'bashward run --restricted'.

With rules, a command is allowed if all of it is known to only read or a rule
allows it, refused if a rule denies it, and else somebody should be asked. Two
more rules hold then: git-discard asks about commands of git that discard work,
and pipe-to-shell refuses 'curl ... | sh'.

Options:
      --cwd DIR  where it would run; default: the current directory
      --json     print {"allowed","rule","match","message"}, even if allowed;
                 with rules {"decision","reasons","suggestion","repository"}
      --jsonl    read {"command","cwd"} from each line of stdin, where "cwd" may
                 be omitted, and print {"allowed","rule","message"} for it, or
                 {"error":{"code","message"}} for a line it cannot understand;
                 with rules, what --json prints
      --policy FILE
                 rules, as JSON: {"rules":[{"prefix":["npm","test"],
                 "decision":"allow"}]}; may be repeated, as the next two
      --claude-settings FILE
                 the rules about Bash of Claude Code's settings
      --codex-rules FILE
                 the rules of codex
      --lenient  leave out rules that have no counterpart, also those that ask
                 or deny
      --explain  say why, even if allowed, and which rule would allow it
      --test     only load the rules, and check their examples
  -h, --help     this text
      --version  the version

Exit status:
  0    allowed; with --jsonl: every line was understood
  1    refused
  2    somebody should be asked
  125  bashward failed, or was called incorrectly; with --jsonl: a bad line

Examples:
  bashward check 'git add -A && git commit -m wip'
  why=$(bashward check -- "$command") || echo "not run: $why"
  bashward check --claude-settings .claude/settings.json --explain 'npm test'
`

export const jobsHelp = `Usage: bashward jobs [list] [--running] [--json]
       bashward jobs output ID [--follow] [--filter RE] [--offset N] [--json]
       bashward jobs wait ID [--json]
       bashward jobs explain ID [--json]
       bashward jobs watch [ID] [--consumer NAME] [--match RE] [--json]
       bashward jobs kill ID [--json]
       bashward jobs clean [--all] [--json]

The background jobs of this user: commands started in the background, and what
other commands left running. Includes jobs whose host is gone.

  list    all known jobs, oldest first
  output  what a job has printed so far; its status goes to stderr
  wait    wait until a job has ended, then exit as its command did
  explain tell what the processes of a job wait for, or do, by what the kernel
          says: a lock and who holds it, a host that does not answer, input
  watch   tell of each job that ends, as it happens; with ID until that one has
  kill    kill a job with everything it has started, and wait until it is gone
  clean   remove jobs that ended more than 7 days ago, and all but the last 200,
          with their output; never a running one

Options:
      --running    only jobs that run
  -f, --follow     keep printing until the job ends
      --filter RE  only lines that match a regular expression (RE2 syntax)
      --offset N   start at this byte of the output
      --all        every job that has ended, however recent
      --consumer NAME
                   also tell of what ended before, and never again of what this
                   consumer was told; one watcher at a time may have the name
      --match RE   with 'watch ID': also lines that match (RE2 syntax)
      --json       print one JSON document; with --follow, at the end; of
                   'watch' one on each line
  -h, --help       this text
      --version    the version

Ctrl-C of 'wait', 'watch' and 'output --follow' leaves the job running.

Exit status:
  0    done
  1    there is no such job, or it cannot be killed
  125  bashward failed, or was called incorrectly
  130  'wait', 'watch' or 'output --follow' was ended by Ctrl-C

Exit status of 'wait': that of the job's command, or
  124    it timed out
  125    there is no such job, it is lost, or bashward failed
  128+n  ended by signal n

Examples:
  bashward run --mode background 'npm start'
  bashward jobs
  bashward jobs output bash_k3v9x2 --filter '(?i)error'
  bashward jobs wait bash_k3v9x2 && echo completed
`

export const doctorHelp = `Usage: bashward doctor [--json]

Shows which engine runs commands on this machine, why, and what it cannot do.
Then what Restricted mode enforces here: whether the kernel supports it, each
protection with what enforces it or why it is missing, and the resource limits.
A trial process confirms it by attempting what should be refused.

Options:
      --json     print the report as one JSON document
  -h, --help     this text
      --version  the version

Exit status:
  0    Restricted mode can be offered
  1    it cannot
  125  bashward failed, or was called incorrectly
`

export const mcpHelp = `Usage: bashward mcp [OPTIONS]
       bashward mcp --http ADDRESS:PORT --token-file PATH [OPTIONS]

An MCP server on stdin and stdout, with the tools bash, bash_output and
kill_bash. It ends when its client closes stdin, and kills the commands of its
calls. Background jobs go on: 'bashward jobs' shows them.

With --http it serves any number of clients over Streamable HTTP, at the path
/mcp, until it gets a signal. Each request needs a token:
Authorization: Bearer TOKEN.

Clients give up on a call after a minute. So a command that takes longer than
the limit goes on as a background job.

Options:
      --cwd DIR          run commands there; default: the current directory
      --restricted       in Restricted mode: commands can read and compute, but
                         not write files or reach a network or processes;
                         where that cannot be enforced, they do not run
      --scratch          with --restricted: they can write to $TMPDIR
      --workspace        in Workspace mode: the same, but they can change files
                         below the directory of --cwd, write to $TMPDIR, and
                         test servers of their own on localhost; the usual
                         files with keys and passwords they cannot read
      --writable DIR     with --workspace: files below DIR, too; may be repeated
      --unreadable PATH  with --workspace: PATH cannot be read, either; may be
                         repeated
      --allow-domain D   with --workspace: they can reach the host D, such as
                         registry.example, *.example.org or db.example:5432,
                         over HTTP and HTTPS; may be repeated
      --shared-memory    with --workspace: they can use /dev/shm
      --login-env        with what your start-up files set (nvm, pyenv, direnv):
                         a login shell reads them in the same mode
      --no-safety        run dangerous commands too
      --session          keep the working directory, variables and functions
                         from call to call
      --background-after SECONDS
                         the limit, 0.1 to 86400; default: 50
      --verdicts         run what is known to only read, where it can change
                         nothing; of other commands ask the person at the client
                         (elicitation), or reject them where that cannot be
      --policy FILE      with these rules besides, as JSON (see 'bashward check
                         --help'); may be repeated, as the next two. Each of the
                         three implies --verdicts
      --claude-settings FILE
                         with the rules about Bash of Claude Code's settings
      --codex-rules FILE
                         with the rules of codex
      --lenient          leave out rules that have no counterpart, also those
                         that ask or deny
      --http ADDRESS:PORT
                         listen there: a loopback address, such as
                         127.0.0.1:8931 or [::1]:0; 0 is any free port
      --token-file PATH  with --http: the tokens, one a line, of 32 characters
                         or more. Only its owner may have rights to the file.
                         To make one:
                         (umask 077 && head -c 32 /dev/urandom | base64 > PATH)
      --token-fd N       with --http: the same from a descriptor
      --allow-host HOST  with --http: another Host by which it is asked for, as
                         by a reverse proxy; may be repeated
      --allow-origin O   with --http: an Origin that is let in; may be repeated
      --calls DIR        with --http: where calls with an id are noted, which do
                         not run again when they are sent again; default:
                         ~/.local/state/bashward/calls
  -h, --help             this text
      --version          the version

Messages go to stderr; stdout is the protocol's alone.

Exit status:
  0      the client has closed stdin
  125    bashward failed, or was called incorrectly
  128+n  ended by signal n

Example, for a client that is configured with JSON:
  { "command": "npx", "args": ["bashward", "mcp", "--cwd", "/srv/project"] }

Over HTTP:
  bashward mcp --http 127.0.0.1:8931 --token-file token --cwd /srv/project
`

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
