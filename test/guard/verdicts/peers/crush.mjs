// What crush runs without asking, in our words. From github.com/charmbracelet/crush at 37f36e9,
// internal/agent/tools/safe.go and bash.go. Some programs, such as curl, it refuses to start; that is not in here.

const beginnings = [
  ...`cal date df du echo env free groups hostname id kill killall ls nice nohup printenv ps pwd set time timeout top type uname
  unset uptime whatis whereis which whoami`.split(/\s+/),
  ...'blame branch describe diff grep log ls-files ls-remote remote rev-parse shortlog show status tag'
    .split(' ')
    .map((name) => `git ${name}`),
  'git config --get',
  'git config --list',
]

const chaining = [';', '|', '&&', '$(', '`']

/** @param {string} command */
export const crush = (command) => {
  if (chaining.some((token) => command.includes(token))) return false
  const lower = command.toLowerCase()
  return beginnings.some(
    (beginning) => lower.startsWith(beginning) && ['', ' ', '-'].includes(lower.charAt(beginning.length)),
  )
}
