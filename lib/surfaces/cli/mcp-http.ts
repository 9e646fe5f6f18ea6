// The options of `bashward mcp --http`: where it listens, and who is let in.

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '../../base/errors.js'
import type { HttpOptions } from '../mcp/http/serve.js'
import type * as Tokens from '../mcp/http/tokens.js'
import { parseDirectory, UsageError, wrongValue } from './command-line.js'

const program = 'bashward mcp'

export const httpOptions = {
  http: { type: 'string' },
  'token-file': { type: 'string' },
  'token-fd': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  calls: { type: 'string' },
} as const

interface Values {
  http?: string | undefined
  'token-file'?: string | undefined
  'token-fd'?: string | undefined
  'allow-host'?: string[] | undefined
  'allow-origin'?: string[] | undefined
  calls?: string | undefined
}

/** Nothing of it has been opened yet. */
export interface HttpSettings extends Omit<HttpOptions, 'tokens'> {
  /** A path, or a descriptor. */
  tokens: { file: string } | { fd: number }
  /** The directory of the ledger; undefined: the default. */
  calls: string | undefined
}

/** @throws {UsageError} */
export function parseHttpOptions(values: Values): HttpSettings | undefined {
  const { http, 'token-file': file, 'token-fd': fd, calls } = values
  if (http === undefined) {
    const lonely = Object.keys(httpOptions).find((name) => values[name as keyof Values] !== undefined)
    if (lonely !== undefined) throw new UsageError(program, `--${lonely} goes with --http`)
    return undefined
  }
  return {
    ...parseAddress(http),
    tokens: parseTokenSource(file, fd),
    allowedHosts: (values['allow-host'] ?? []).map(parseHost),
    allowedOrigins: (values['allow-origin'] ?? []).map(parseOrigin),
    calls: calls === undefined ? undefined : resolve(parseDirectory(program, calls, '--calls')),
  }
}

/** Others on the network would read the token, and the commands: what reaches this server from there has TLS, and ends here. */
function parseAddress(value: string): { address: string; port: number } {
  const [, v4, v6, port = ''] = /^(?:(127(?:\.\d{1,3}){3})|\[(::1)\]):(\d{1,5})$/.exec(value) ?? []
  const address = v4 ?? v6
  const isAddress = address !== undefined && (v4 ?? '').split('.').every((part) => Number(part) <= 255)
  if (isAddress && Number(port) <= 65_535) return { address, port: Number(port) }
  throw wrongValue(
    program,
    '--http',
    'must be a loopback address and a port, such as 127.0.0.1:8080 or [::1]:0; from elsewhere it is reached by a proxy with TLS',
    value,
  )
}

function parseTokenSource(file: string | undefined, fd: string | undefined): HttpSettings['tokens'] {
  if (file !== undefined && fd !== undefined) {
    throw new UsageError(program, '--token-file and --token-fd: give one of them')
  }
  if (file !== undefined) return { file: resolve(parseFile(file)) }
  if (fd === undefined) {
    const how = `--http needs a token, on loopback too: other users reach it there. To make one:
  (umask 077 && head -c 32 /dev/urandom | base64 > token), then --token-file token`
    throw new UsageError(program, how)
  }
  const isNumber = /^\d{1,7}$/.test(fd)
  // Both have another use.
  if (isNumber && Number(fd) !== 1 && Number(fd) !== 2) return { fd: Number(fd) }
  throw wrongValue(program, '--token-fd', 'must be the number of a descriptor to read from', fd)
}

function parseFile(value: string): string {
  if (value !== '') return value
  throw wrongValue(program, '--token-file', 'must be the path of a file', value)
}

/** As clients send it: with the port, unless it is the usual one. */
function parseHost(value: string): string {
  if (/^[a-z0-9._-]+(?::\d{1,5})?$/i.test(value)) return value.toLowerCase()
  const need = 'must be what clients send as Host, such as mcp.example.org or mcp.example.org:8443'
  throw wrongValue(program, '--allow-host', need, value)
}

function parseOrigin(value: string): string {
  // What is no URL, and `null`, is none either.
  if (URL.canParse(value) && new URL(value).origin === value) return value
  throw wrongValue(program, '--allow-origin', 'must be an origin, such as https://app.example', value)
}

const maxTokenBytes = 64 * 1024

/** @throws {UsageError} */
export function readTokens(
  source: HttpSettings['tokens'],
  { parseTokens, TokenError }: Pick<typeof Tokens, 'parseTokens' | 'TokenError'>,
): Tokens.Token[] {
  const option = 'file' in source ? `--token-file: ${source.file}` : `--token-fd: ${source.fd}`
  const refused = (why: string) => new UsageError(program, `${option}: ${why}`)
  try {
    const text = 'file' in source ? readTokenFile(source.file, refused) : readDescriptor(source.fd, refused)
    return parseTokens(text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof TokenError) throw refused(error.message)
    throw refused(`cannot be read: ${messageOf(error)}`)
  }
}

type Refuse = (why: string) => UsageError

function readTokenFile(path: string, refused: Refuse): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw refused('must be a file')
    checkOwner(path, stats, refused)
    return readAll(fd, refused)
  } finally {
    closeSync(fd)
  }
}

function checkOwner(path: string, { uid, mode }: Stats, refused: Refuse): void {
  const own = process.geteuid?.()
  // systemd's are root's, and an access list gives them to the user of the unit: it looks like a mode for the group. Nobody
  // else can enter their directory.
  const isCredential = uid === 0 && dirname(path) === process.env.CREDENTIALS_DIRECTORY
  if (uid !== own && !isCredential) throw refused(`belongs to user ${uid}, not to ${own}`)
  const others = isCredential ? 0o007 : 0o077
  if ((mode & others) === 0) return
  const octal = (mode & 0o7777).toString(8).padStart(4, '0')
  throw refused(`its mode ${octal} lets others read it (chmod 600)`)
}

/** It is closed: no command needs it. */
function readDescriptor(fd: number, refused: Refuse): string {
  const stats = fstatSync(fd)
  // Others are Node's own.
  if (!stats.isFile() && !stats.isFIFO() && !stats.isSocket()) throw refused('must be a file or a pipe')
  try {
    return readAll(fd, refused)
  } finally {
    if (fd > 2) closeSync(fd)
  }
}

function readAll(fd: number, refused: Refuse): string {
  const bytes = Buffer.alloc(maxTokenBytes + 1)
  let length = 0
  for (;;) {
    const count = readSync(fd, bytes, length, bytes.length - length, null)
    length += count
    if (length > maxTokenBytes) throw refused(`has more than ${maxTokenBytes} bytes`)
    if (count === 0) return bytes.toString('utf8', 0, length)
  }
}
