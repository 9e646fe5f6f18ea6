// bashward worker --help.

export const workerHelp = `Usage: bashward worker --id NAME --redis URL --workspaces DIR
                       --accept-keys FILE [OPTIONS]
       bashward worker status --redis URL [--id NAME] [--json]

Runs the commands of a fleet on this machine: 'bashward/fleet' sends them over
Redis, each conversation has a directory of its own below DIR, and each call
starts once. It only dials out. Needs the packages bullmq and ioredis.

  status  the workers that are there, what they run, and what waits for them

Options:
      --id NAME          of this machine, the same after each restart
      --redis URL        redis://[USER@]HOST[:PORT], or rediss:// for TLS; never
                         with a password
      --redis-password-fd N
                         read the password from this descriptor, and close it;
                         an argument, a variable or a file of this user's could
                         be read by commands
      --workspaces DIR   where the directories of conversations are
      --state DIR        where calls, jobs, sessions and long output are kept;
                         default: below $XDG_STATE_HOME or ~/.local/state
      --accept-keys FILE public keys (PEM, Ed25519) of those who may have
                         commands run
      --concurrency N    commands at a time, 1 to 1000; default: 64
      --session-key-fd N read 32 bytes, or 64 hexadecimal digits, that seal the
                         sessions on the disk: they outlive this process then
      --restricted       in Restricted mode: commands can read and compute, but
                         not write files or reach a network or processes
      --scratch          with --restricted: they can write to $TMPDIR
      --workspace        in Workspace mode: the same, but they can change files
                         of their conversation, write to $TMPDIR, and test
                         servers of their own on localhost; the usual files with
                         keys and passwords they cannot read
      --writable DIR     with --workspace: files below DIR, too; may be repeated
      --unreadable PATH  with --workspace: PATH cannot be read, either; may be
                         repeated
      --allow-domain D   with --workspace: they can reach the host D over HTTP
                         and HTTPS; may be repeated
      --shared-memory    with --workspace: they can use /dev/shm
      --login-env        with what your start-up files set
      --no-safety        run dangerous commands too
      --strict           do not start where commands can change this program
                         (bashward in a workspace); else stderr says so
      --grace SECONDS    how long commands may run on at SIGTERM; default: 20
      --live-rate BYTES  live output per second, of all commands together;
                         default: 1048576
      --heartbeat SECONDS
                         time between signs of life, 0.05 to 60; default: 1
      --ttl SECONDS      without one for this long it counts as gone, 0.2 to
                         600; default: 5
      --as-root          run as root all the same: its commands are root, too
  -h, --help             this text
      --version          the version

SIGTERM, SIGINT: it takes no more calls, waits for those that run, and ends. A
second one ends it at once, with everything that runs.

Exit status:
  0      it was told to end
  3      another process has its name, or its state directory
  4      another process has taken its name
  125    bashward failed, or was called incorrectly; of 'status': Redis is not
         there
  128+n  ended by signal n

Example:
  bashward worker --id w17 --redis rediss://w17@redis.example:6380 \\
    --redis-password-fd 3 --workspaces /srv/ws --accept-keys /etc/bashward/api.pub \\
    --workspace 3< /run/secrets/redis
`
