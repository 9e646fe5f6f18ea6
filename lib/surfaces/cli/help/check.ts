// What `bashward check --help` prints.

export const checkHelp = `Usage: bashward check [--cwd DIR] [--json] [--] COMMAND...
       bashward check [--policy FILE] [--explain] [--json] [--] COMMAND...
       bashward check --jsonl [--cwd DIR] [--policy FILE]

Tells whether a safety rule refuses COMMAND, without running it. Prints nothing
if it is allowed, else the rule, the reason, and a safer command.

Refused, anywhere in the command:
  git-add-blind   git add -A, --all, . or *
  git-push-force  git push --force, -f or --mirror; --force-with-lease is
                  allowed
  rm-dangerous    rm -rf of /, ~, ~/.ssh, system directories, .git, * or .*,
                  or of where you are; cd .. && rm -rf build is allowed
  needs-terminal  vim, watch, top and the like, if they would wait for a
                  terminal until the timeout

This guards against mistakes and is not a security boundary: a program can do
the same by other means. To confine it use 'bashward run --restricted'.

With rules or --explain, a command is allowed if all of it is known to only
read or a rule allows it, refused if a rule denies it, and else somebody should
be asked. Two more rules hold then: git-discard asks about commands of git that
discard work, and pipe-to-shell refuses 'curl ... | sh'.

Options:
      --cwd DIR  where it would run; default: the current directory
      --json     print {"allowed","rule","match","message"}, even if allowed;
                 with rules or --explain
                 {"decision","reasons","suggestion","repository"}
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
      --explain  say why, even if allowed, and which rule would allow it; also
                 without rules
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
