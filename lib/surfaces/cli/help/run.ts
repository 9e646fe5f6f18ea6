// What `bashward run --help` prints.

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
      --tty              with a terminal of its own, shown on yours; it runs as
                         a background job, which goes on when Ctrl-] detaches
                         you; with --mode background it is not shown
      --rows N, --cols N
                         with --tty: a terminal of this size, up to 200 and 500;
                         default: the size of yours, even when that changes
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
      --strict           do not run it where commands can change this program
                         (bashward in a workspace); else stderr says so
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

Exit status: the command's, 0 when you have detached from it, or
  124    it timed out
  125    bashward failed, or was called incorrectly
  126    a safety rule refused it: it did not run
  130    cancelled by Ctrl-C, which kills everything the command has started
  128+n  ended by signal n

Examples:
  bashward run ls -la
  bashward run 'cd src && grep -rn TODO . | head'
  bashward run --tty vim notes.txt
  bashward run --mode slow --json -- npm test
  bashward run --workspace . --allow-domain registry.example npm ci
  bashward run - < script.sh
`
