// What --help prints.

export const mainHelp = `Usage: bashward COMMAND [ARGUMENTS]

The bash tool for LLM agents, on the command line.

Commands:
  run        run a command as an agent's bash tool would

Options:
  -h, --help     this text; 'bashward COMMAND --help' explains a command
      --version  the version

Example:
  bashward run --timeout 5 'make test'
`

export const runHelp = `Usage: bashward run [OPTIONS] [--] COMMAND...

Runs COMMAND with bash, as an agent's bash tool would: without a terminal and
without input, without the secrets of your environment, and with a timeout, at
which it is killed together with everything it has started.

Several words are joined with spaces, as ssh does: quote what your own shell
should not expand. Options come before the first word; what follows it belongs
to the command. A command that begins with a dash goes after '--'.

Options:
      --mode MODE        default (30 seconds) or slow (15 minutes)
      --timeout SECONDS  another timeout, 0.001 to 86400
      --cwd DIR          run it there; default: the current directory
      --json             print the result as one JSON document, and no output
  -h, --help             this text
      --version          the version

Output: what the command prints, stdout and stderr in their order, goes to
stdout as it comes. A flood is shown in part, with a marker such as
[... 3.1MB skipped ...] where something is missing and the last 4 KiB at its
end; on a pipe or in a file, up to 128 KiB are always complete. Output is text:
NULs and invalid UTF-8 are replaced. Status lines such as
[command failed: exit code 3] go to stderr.

Exit status: the command's, or
  124    it timed out
  125    bashward failed, or was called wrongly
  130    cancelled by Ctrl-C, which kills all that the command has started
  128+n  ended by signal n

Examples:
  bashward run ls -la
  bashward run 'cd src && grep -rn TODO . | head'
  bashward run --mode slow --json -- npm test
`
