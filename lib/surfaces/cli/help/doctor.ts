// What `bashward doctor --help` prints.

export const doctorHelp = `Usage: bashward doctor [--json]

Shows which engine runs commands on this machine, why, and what it cannot do.
Then what Restricted mode enforces here: whether the kernel supports it, each
protection with what enforces it or why it is missing, and the resource limits.
A trial process confirms it by attempting what should be refused. A line
'Locale' tells where no locale is set, so that commands count bytes.

Options:
      --json     print the report as one JSON document
  -h, --help     this text
      --version  the version

Exit status:
  0    Restricted mode can be offered
  1    it cannot
  125  bashward failed, or was called incorrectly
`
