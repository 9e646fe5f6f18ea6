// What `bashward jobs --help` prints.

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
