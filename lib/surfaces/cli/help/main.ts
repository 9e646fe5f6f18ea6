// What `bashward --help` prints.

export const mainHelp = `Usage: bashward COMMAND [ARGUMENTS]

The bash tool for LLM agents, on the command line.

Commands:
  run        run a command as an agent's bash tool would
  check      tell whether a command would be refused, without running it
  jobs       list, read, wait for and kill background jobs, and type into them
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
