// Whether a line that speaks of a refusal can be what a program of the command has met, or is only what it has read.

import type { ProgramCall } from '../safety/program-calls.js'

/** Programs that complain under their own names only. What is not among them may start anything, and print its errors. */
const readers = new Set(
  (
    '[ : ack ag awk base64 basename bat batcat builtin cat cd chgrp chmod chown cksum cmp column comm command cp cut date ' +
    'dd declare df diff dir dirname du echo egrep env eval exec exit expand export false fd fgrep file find fmt fold free ' +
    'gawk grep groups gunzip gzip head hexdump hostname iconv id install ionice jless jobs join journalctl jq kill less ' +
    'let ln local look ls man mapfile mawk md5sum mkdir mktemp more mv nice nl nohup nproc od paste popd pr printenv ' +
    'printf ps pushd pwd read readarray readlink realpath return rev rg rm rmdir sed seq set setsid sha1sum sha256sum ' +
    'shift shuf sleep sort source split stat stdbuf strings sudo tac tail tar tee test time timeout touch tr trap tree ' +
    'true truncate tsort type ulimit umask uname uniq unset uptime wait wc which whoami xargs xxd yes yq zcat zgrep zless'
  ).split(' '),
)
const shells = new Set(['bash', 'dash', 'sh'])
const gitReaders =
  /^git (?:blame|cat-file|diff|grep|log|ls-files|ls-tree|reflog|rev-list|rev-parse|show|status)$/

const searches = new Set(['ack', 'ag', 'egrep', 'fgrep', 'git grep', 'grep', 'rg', 'zgrep'])

/** @param calls undefined when they are not known */
export function isSearch(calls: readonly ProgramCall[] | undefined): boolean {
  return calls?.some(({ name }) => searches.has(name)) ?? false
}

const speaker = /^(?:[\w.+/-]{1,255}\/)?([\w.+-]{1,40})(?:\[\d{1,10}\]| \(child\))?: /

/** A redirection that opens a file to write to it. */
const writes = />(?!>?\s?(?:&|\/dev\/(?:null|std|fd)))/

/** The shell of the command itself, about what stands in the command. */
const shell = /^bash: (?:line \d{1,9}: )?(?:(.{1,255}): Permission denied$)?/

/**
 * @param command its text; empty: not known, so that anybody may have said it
 * @param calls of that text
 */
export function isSaid(line: string, command: string, calls: readonly ProgramCall[] | undefined): boolean {
  if (command === '' || calls === undefined) return true
  const text = line.trim()
  if (command.includes(text)) return false
  const aboutFile = shell.exec(line)
  if (aboutFile !== null) return isOfShell(line, aboutFile[1], command, calls)
  if (!calls.every((call) => isReader(call, command))) return true
  const name = speaker.exec(line)?.[1]
  return name !== undefined && calls.some((call) => call.name === name)
}

/** What `sh -c` runs, and what stands in a function, is among the calls itself. */
function isReader({ name, rest }: ProgramCall, command: string): boolean {
  if (readers.has(name) || gitReaders.test(name)) return true
  if (shells.has(name)) return /^-\w{0,9}c /.test(rest)
  return command.includes(`${name}()`) || command.includes(`${name} ()`)
}

/** What it has not opened to write to it, bash was to read or to execute. */
function isOfShell(
  line: string,
  file: string | undefined,
  command: string,
  calls: readonly ProgramCall[],
): boolean {
  if (line.includes('here-document: ')) return command.includes('<<')
  if (file === undefined) return true
  const name = file.slice(file.lastIndexOf('/') + 1)
  return writes.test(command) && !calls.some((call) => call.name === name)
}
