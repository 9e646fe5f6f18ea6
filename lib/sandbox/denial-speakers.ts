// Whether a line that speaks of a refusal can be what a program of the command has met, or is only what it has read.

import type { ProgramCall } from './command-programs.js'

/** Programs that print what others have written. What is not among them may start anything, and print its errors. */
const readers = new Set(
  (
    'ack ag awk base64 bat batcat cat cmp column comm cut diff dir echo egrep env expand export fd fgrep file find ' +
    'fmt fold gawk grep head hexdump iconv jless join journalctl jq less local look ls mapfile mawk md5sum more nl ' +
    'od paste pr printenv printf pwd read readarray realpath rev rg sed seq sha256sum shuf sort stat strings tac tail ' +
    'tar tee test tr tree tsort type uniq wc which xargs xxd yq zcat zgrep zless [ cd command declare exit false ' +
    'popd pushd return set shift source sudo true unset wait : ' +
    'builtin eval exec ionice nice nohup setsid stdbuf timeout'
  ).split(' '),
)
const gitReaders =
  /^git (?:blame|cat-file|diff|grep|log|ls-files|ls-tree|reflog|rev-list|rev-parse|show|status)$/

const searches = new Set(['ack', 'ag', 'egrep', 'fgrep', 'git grep', 'grep', 'rg', 'zgrep'])

/** @param calls undefined when they are not known */
export function isSearch(calls: readonly ProgramCall[] | undefined): boolean {
  return calls?.some(({ name }) => searches.has(name)) ?? false
}

const speaker = /^(?:[\w.+/-]{1,255}\/)?([\w.+-]{1,40})(?:\[\d{1,10}\])?: /

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
  if (!calls.every(({ name }) => readers.has(name) || gitReaders.test(name))) return true
  const name = speaker.exec(line)?.[1]
  return name !== undefined && calls.some((call) => call.name === name)
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
