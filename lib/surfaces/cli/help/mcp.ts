// What `bashward mcp --help` prints.

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
      --strict           do not start where commands can change this program
                         (bashward in a workspace); else stderr says so
      --session          keep the working directory, variables and functions
                         from call to call
      --tty              commands can have a terminal: with a fourth tool,
                         bash_input, the model types into programs that ask
      --background-after SECONDS
                         the limit, 0.1 to 86400; default: 50
      --max-output N     characters of output that a result gives, 1000 to
                         1000000; of more its beginning and its end; default:
                         30000. A client may cut a longer result
      --print-config CLIENT
                         print the configuration with which CLIENT starts this
                         server with the other options, and which turns its own
                         shell tool off: claude-code, codex, gemini, opencode,
                         qwen, copilot or cline. Starts nothing
      --structured       for programs: results have structured content besides
                         their text, and tools an output schema. Clients may
                         show a model that alone
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
  { "command": "/usr/local/bin/bashward",
    "args": ["mcp", "--cwd", "/srv/project"] }

Over HTTP:
  bashward mcp --http 127.0.0.1:8931 --token-file token --cwd /srv/project
`
