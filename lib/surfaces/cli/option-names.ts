// Errors about options, in the words of the command line that they were made of.

/**
 * `--workspace /etc: …` for `workspace.writable[0]: /etc: …`, which nobody has written here. The first directory is that of
 * `--workspace`; what is unreadable without being asked for is no path that could be wrong.
 */
export function inOptionNames(message: string): string {
  return message
    .replace(/\bworkspace\.writable\[0\]:/, '--workspace')
    .replace(/\bworkspace\.(writable|unreadable)\[\d+\]: (?=[/~])/, '--$1 ')
    .replace(/\bworkspace\.(writable|unreadable)(?:\[\d+\])?:/, '--$1')
    .replace(/^(?:options\.)?(consumer|filter|match|offset):/, '--$1')
    .replace(/^keys(?:\[\d+\])?:/, '--keys')
    .replace(/; keys have names, see keys\(\)/, '; keys have names, see --keys')
}
