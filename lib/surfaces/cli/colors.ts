// Colour, and where it is wanted: Node decides, by NO_COLOR, FORCE_COLOR, TERM and others.

import { WriteStream } from 'node:tty'

const escapes = {
  red: '\x1b[0;31m',
  green: '\x1b[0;32m',
  yellow: '\x1b[0;33m',
  bold: '\x1b[0;1m',
  dim: '\x1b[0;2m',
} as const

export type Style = keyof typeof escapes

/** Gives a text a colour, or leaves it. */
export type Paint = (style: Style, text: string) => string

/**
 * Paints what programs and models read as well, such as status lines: on a terminal only, for FORCE_COLOR is meant for
 * people, and reaches every child of a test runner.
 */
export function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  return stream.isTTY && stream.hasColors(environment()) ? colored(style, text) : text
}

/** Paints what people read, such as a table: as `util.styleText` does, with FORCE_COLOR in a pipe, too. */
export function paintReport(stream: NodeJS.WriteStream, style: Style, text: string): string {
  const env = environment()
  const isForced = env.FORCE_COLOR !== undefined && WriteStream.prototype.hasColors(env)
  return isForced ? colored(style, text) : paint(stream, style, text)
}

/** An empty value says nothing (https://no-color.org, https://force-color.org), which not every Node knows. */
function environment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) if (env[name] === '') delete env[name]
  return env
}

function colored(style: Style, text: string): string {
  // The output before it may have left a colour on: both ends reset all.
  return `${escapes[style]}${text}\x1b[0m`
}
