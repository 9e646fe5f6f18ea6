// What `bashward jobs --help` prints.

export const jobsHelp = `Usage: bashward jobs [list] [--running] [--json]
       bashward jobs output ID [--follow] [--filter RE] [--offset N] [--json]
       bashward jobs wait ID [--timeout SECONDS] [--json]
       bashward jobs attach ID [--read-only | --resize]
       bashward jobs screen ID [--json]
       bashward jobs input ID [--no-submit] [--json] [--] TEXT...
       bashward jobs input ID --keys [--json] KEY...
       bashward jobs input ID --secret [--json]
       bashward jobs explain ID [--json]
       bashward jobs watch [ID] [--consumer NAME] [--match RE] [--json]
       bashward jobs kill ID [--json]
       bashward jobs clean [--all] [--json]

The background jobs of this user: commands started in the background, and what
other commands left running. Includes jobs whose host is gone.

  list    all known jobs, oldest first
  output  what a job has printed so far; its status goes to stderr
  wait    wait until a job has ended, then exit as its command did; or, if it
          has a terminal, until it waits for input
  attach  see the terminal of a job, and type into it; Ctrl-] detaches, and the
          job goes on
  screen  what the terminal of a job shows; its state goes to stderr
  input   type TEXT and Enter into the terminal of a job, or press keys: Up,
          Escape, Tab, BSpace, PPage, F1, C-c, M-x, S-Right, single characters
  explain tell what the processes of a job wait for, or do, by what the kernel
          says: a lock and who holds it, a host that does not answer, input
  watch   tell of each job as it ends; with ID only until that one has ended
  kill    kill a job with everything it has started, and wait until it is gone
  clean   remove jobs that ended more than 7 days ago, and all but the last 200,
          with their output; never a running one

Options:
      --running    only jobs that run
  -f, --follow     keep printing until the job ends
      --filter RE  only lines that match a regular expression (RE2 syntax)
      --offset N   start at this byte of the output
      --timeout SECONDS
                   with 'wait': wait no longer than this
      --read-only  with 'attach': only watch, type nothing
      --resize     with 'attach': give the job's terminal the size of this one,
                   which otherwise shows the part around the cursor
      --keys       the words are names of keys
      --secret     with 'input': you are asked for what the job wants to know;
                   it is not echoed
      --no-submit  no Enter after the text
      --all        every job that has ended, however recent
      --consumer NAME
                   also tell of what ended before, and never again of what this
                   consumer was told; one watcher at a time may have the name
      --match RE   with 'watch ID': also lines that match (RE2 syntax)
      --json       print one JSON document; with --follow, at the end; of
                   'watch' one on each line
  -h, --help       this text
      --version    the version

Ctrl-C of 'wait', 'watch' and 'output --follow' leaves the job running. A job
that was started with 'bashward run --tty', or with 'tty' by an agent, has a
terminal; its 'output' is given without escape sequences.

Exit status:
  0    done
  1    there is no such job, it cannot be killed, has no terminal or does not
       run any more, or what was typed was not taken
  125  bashward failed, or was called incorrectly
  130  'wait', 'watch' or 'output --follow' was ended by Ctrl-C

Exit status of 'attach': that of the job's command if it has ended meanwhile.
Exit status of 'wait': that of the job's command, or
  122    it waits for input
  123    it still runs, and the time of --timeout is up
  124    it timed out
  125    there is no such job, it is lost, or bashward failed
  128+n  ended by signal n

Examples:
  bashward run --mode background 'npm start'
  bashward jobs
  bashward jobs output bash_k3v9x2 --filter '(?i)error'
  bashward jobs wait bash_k3v9x2 && echo completed
  bashward jobs input bash_k3v9x2 yes
  bashward jobs input bash_k3v9x2 --keys Escape : q Enter
  bashward jobs attach bash_k3v9x2 --read-only
`
