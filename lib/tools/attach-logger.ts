// The log of commands, written to a logger of the host's.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { checkObject, invalidInput } from '../base/util/invalid-input.js'
import type { BashStatus } from '../commands/run/result.js'
import { type CommandLogEvent, commandLogChannel } from './call/command-log.js'

type Log = (fields: object, message: string) => void

/** A logger such as that of pino or bunyan: fields first, then the message. */
export interface CommandLogger {
  debug: Log
  info: Log
  warn: Log
  error: Log
}

type Level = keyof CommandLogger

const levels: Record<BashStatus, Level> = {
  completed: 'info',
  background: 'info',
  failed: 'info',
  cancelled: 'info',
  timed_out: 'warn',
  rejected: 'warn',
  invalid: 'warn',
  error: 'error',
}

const levelNames: readonly Level[] = ['debug', 'info', 'warn', 'error']

/**
 * Logs every command of every tool in this process: its start at `debug`, and how it ended. That a command failed is
 * `info`, since it did run; a timeout, a refusal and an invalid input are `warn`, and what the system kept from running
 * is `error`. The fields are those of {@link CommandLogEvent}: no output, no environment, but the command itself, which
 * may hold what a logger should redact. An exception of the logger becomes an uncaught exception of the program.
 *
 * @returns a function that ends it
 * @throws {BashError} ERR_INVALID_INPUT when the logger lacks a method
 */
export function attachLogger(logger: CommandLogger): () => void {
  const methods = checkObject('logger', logger)
  for (const level of levelNames) {
    const method = methods[level]
    if (typeof method !== 'function') throw invalidInput(`logger.${level}`, 'must be a function', method)
  }
  const listener = (message: unknown) => {
    const event = message as CommandLogEvent
    const { type, ...fields } = event
    if (event.type === 'start') logger.debug(fields, 'command started')
    else logger[levels[event.status]](fields, `command ${event.status.replace('_', ' ')}`)
  }
  subscribe(commandLogChannel, listener)
  return () => {
    unsubscribe(commandLogChannel, listener)
  }
}
