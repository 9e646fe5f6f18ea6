// Reading a command line of the form `program [options] [--] words…`: options end at the first word, as with env(1).

import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The command line is wrong; the message says where. */
export class UsageError extends Error {
  /** @param program the program or command whose `--help` explains what is right */
  constructor(
    readonly program: string,
    message: string,
  ) {
    super(message)
  }
}

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values']

export interface CommandLine<Known extends Options> {
  values: Values<Known>
  /** Everything from the first word that is no option. */
  words: string[]
}

/** @throws {UsageError} for an unknown option, or one that lacks its value or may not have one */
export function parseLeadingOptions<const Known extends Options>(
  program: string,
  args: string[],
  options: Known,
): CommandLine<Known> {
  // parseArgs takes options from anywhere, so the first look is only for the end of the leading ones.
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const end = tokens.find(({ kind }) => kind !== 'option')
  const words = end === undefined ? [] : args.slice(end.kind === 'positional' ? end.index : end.index + 1)
  try {
    const { values } = parseArgs({ args: args.slice(0, end?.index), options, allowPositionals: false })
    return { values, words }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('ERR_PARSE_ARGS_')) throw new UsageError(program, message)
    throw error
  }
}
