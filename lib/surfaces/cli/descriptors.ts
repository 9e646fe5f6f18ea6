// Secrets that a program is given on a descriptor, which nothing that it starts has.

import { closeSync, readFileSync } from 'node:fs'
import { messageOf } from '../../base/errors.js'
import { UsageError, wrongValue } from './command-line.js'

const mostBytes = 4096

/**
 * All that can be read from it; it is closed then.
 *
 * @returns undefined when the option was not given
 * @throws {UsageError}
 */
export function readDescriptor(
  program: string,
  option: string,
  value: string | undefined,
): Buffer | undefined {
  if (value === undefined) return undefined
  const number = /^\d{1,4}$/.test(value) ? Number(value) : -1
  if (number < 0 || number === 1 || number === 2) {
    throw wrongValue(program, option, 'must be the number of a descriptor that can be read', value)
  }
  let bytes: Buffer
  try {
    bytes = readFileSync(number)
    closeSync(number)
  } catch (error) {
    throw new UsageError(program, `${option} ${value} cannot be read: ${messageOf(error)}`)
  }
  if (bytes.length > mostBytes)
    throw new UsageError(program, `${option} ${value} has more than ${mostBytes} bytes`)
  return bytes
}

/** A line, as echo and editors write it. @throws {UsageError} when it is empty */
export function readSecretLine(
  program: string,
  option: string,
  value: string | undefined,
): string | undefined {
  const text = readDescriptor(program, option, value)
    ?.toString()
    .replace(/\r?\n$/, '')
  if (text === '') throw new UsageError(program, `${option} ${value} is empty`)
  return text
}

/** @throws {UsageError} for anything but 32 bytes, or as many in hexadecimal digits */
export function readKey(program: string, option: string, value: string | undefined): Uint8Array | undefined {
  const bytes = readDescriptor(program, option, value)
  if (bytes === undefined || bytes.length === keyBytes) return bytes
  const digits = bytes.toString('latin1').trim()
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new UsageError(
      program,
      `${option} ${value} must have ${keyBytes} bytes, or as many in hexadecimal digits`,
    )
  }
  return Buffer.from(digits, 'hex')
}

const keyBytes = 32
