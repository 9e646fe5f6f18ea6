// A command in a line that says something else too.

/**
 * In one line, without anything that moves a terminal's cursor or turns the direction of writing: a command, and what a
 * process calls itself, may hold any character.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}
