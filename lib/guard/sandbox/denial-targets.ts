// What a line that speaks of a refusal names: paths, a host, a process.
//
// As in denial-patterns.ts no repetition is unbounded: time is linear in the output.

/** Beyond it a line is looked at no further: Linux takes no path above 4096 bytes, and a line has two at most. */
const maxLine = 12_288

/** The quotes of GNU's messages, of python, node, git, go and rust. An apostrophe in a word is none. */
const quoted =
  /(?<!\w)(?:'([^']{1,4096})'|"([^"]{1,4096})"|`([^`']{1,4096})[`']|‘([^’]{1,4096})’|“([^”]{1,4096})”)/g

const error = '(?:permission denied|operation not permitted|read-only file ?system)'

/** `touch: FILE: Permission denied`, `open FILE: permission denied`, `FILE (Permission denied)` */
const before = new RegExp(
  `(?:^|: |\\b(?:open|mkdir|remove|unlink|rename|chmod|chown|create|file|directory) )([^:'"\`‘“]{1,4096})(?:: | \\()(?:cannot (?:open|mkdir|unlink|change|utime)[^:]{0,40}: )?${error}`,
  'i',
)

/** `Permission denied @ rb_sysopen - FILE`, `AccessDeniedException: FILE` */
const after = new RegExp(
  `(?:${error} @ \\w{1,40} - |AccessDeniedException: |FileSystemException: )([^:()]{1,4096})`,
  'i',
)

/** A word that can only be a path. */
const absolute = /(?<![\w.~/:-])\/[^\s'"`‘’“”:;,()<>]{1,4096}/g

/** A program that says its own name, and the line of a script. */
const speakers = /^[^\s:'"`‘“]{1,255}(?:\[\d{1,10}\])?: (?:line \d{1,9}: |\d{1,9}: )?/

/** Ruby names the method: "in `initialize': " */
const methods = /:\d{1,9}:in [`'][^'`]{1,99}['`]: /

/** Words of a message that is put without quotes: `cannot create /etc/x`, `Failed to open the file /etc/x` */
const opening =
  /^(?:(?:cannot|can't|could not|couldn't|unable to|failed to|error|warning) )?(?:(?:creat(?:e|ing)|open(?:ing)?|writ(?:e|ing)|remov(?:e|ing)|mak(?:e|ing)|delet(?:e|ing)) )(?:(?:to|the|output|regular|temporary|config(?:uration)?|file|directory|dir) ){0,4}/i

/**
 * The paths that a line names, as they stand there: quoted ones first, then what the message is about, then every word
 * that begins with a slash.
 */
export function pathsIn(text: string): string[] {
  const line = text.slice(0, maxLine).replace(methods, '')
  const found: string[] = []
  for (const match of line.matchAll(quoted)) {
    const path = match.slice(1).find((group) => group !== undefined) ?? ''
    if (isPath(path)) found.push(path)
  }
  const rest = line.replace(speakers, '')
  for (const match of [before.exec(rest), after.exec(line)]) {
    const path = match?.[1]?.trim().replace(opening, '')
    if (path !== undefined && isPath(path) && (path.startsWith('/') || !path.includes(' '))) found.push(path)
  }
  // The speaker's own path, `/usr/bin/ld: `, is none that was refused.
  for (const [path] of rest.matchAll(absolute)) found.push(path.replace(/\.$/, ''))
  return [...new Set(found)]
}

/** Not a message that is quoted, nor the text of an error. */
function isPath(text: string): boolean {
  return !/^-| failed\b|^(?:permission denied|operation not permitted)|^E[A-Z]{3,5}$|^[\w+.-]{1,20}:\/\/|\n/i.test(
    text,
  )
}

const hosts = [
  /\bForbidden: ([^\s]{1,255}:\d{1,5}) is not allowed/,
  /could not resolve (?:host(?:name)?|proxy):? ([^\s:]{1,255})/i,
  /unable to resolve host address [‘'"`]?([^\s’'"`]{1,255})/i,
  /\bget(?:addrinfo) (?:EAI_AGAIN|ENOTFOUND) ([^\s,:)]{1,255}(?::\d{1,5})?)/,
  /\bquery[A-Z][A-Za-z]{0,9} E[A-Z]{5,12} ([^\s,:)]{1,255})/,
  /\blookup ([^\s:]{1,255})(?: on [^\s]{1,99})?: /,
  /\bdial (?:tcp|udp)\d? ([^\s:[\]]{1,255}:\d{1,5}|\[[^\]]{1,99}\]:\d{1,5})/,
  /\bFailed to (?:connect|open TCP connection) to ([^\s:]{1,255}(?: port |:)\d{1,5})/i,
  /\bconnect to (?:host |server )?\[?([^\s[\]]{1,255}?)\]? port \d{1,5}/i,
  /\bconnect (?:EPERM|EACCES|ECONNREFUSED|ENETUNREACH) ([^\s:]{1,255}:\d{1,5})/,
  /\bbad address '([^']{1,255})'/i,
  /\bunable to look up ([^\s(]{1,255})/i,
  /\bTemporary failure resolving '([^']{1,255})'/,
  /\bhost='([^']{1,255})'/,
  /\b(?:https?|git|ssh|ftp):\/\/(?:[^\s/@'"]{1,255}@)?([^\s/'":?#]{1,255}(?::\d{1,5})?)/,
  /^(?:ping|ssh|telnet|nc|ftp|ping6|traceroute): ([\w.:-]{1,255}): (?:Name or service|Temporary failure|No address)/i,
]

/** The host of a network that could not be reached, with its port where the line has it; empty: the line names none. */
export function hostIn(text: string): string {
  const line = text.slice(0, maxLine)
  for (const pattern of hosts) {
    const host = pattern.exec(line)?.[1]
    if (host !== undefined) return host.replace(' port ', ':')
  }
  return ''
}

/** The local socket that a line names; empty: it names none. */
export function socketIn(text: string): string {
  return /\bunix:\/\/(\/[^\s"',:]{1,255})/.exec(text.slice(0, maxLine))?.[1] ?? pathsIn(text)[0] ?? ''
}

const processes = [
  /\/proc\/(\d{1,10})\b/,
  /\bkill(?:ing|all)?\b[^\d]{0,20}\(?-?(\d{1,10})\)?/i,
  /^[^\s():]{1,99}\((\d{1,10})\): /,
  /\bpid (\d{1,10})\b/i,
]

/** The number of the process that a line names; empty: it names none. */
export function processIn(text: string): string {
  const line = text.slice(0, maxLine)
  for (const pattern of processes) {
    const pid = pattern.exec(line)?.[1]
    if (pid !== undefined) return pid
  }
  return ''
}

const moving = /[\0-\x1f\x7f-\x9f]|[\p{Cf}\p{Zl}\p{Zp}]/gu

const shorthands: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const maxTarget = 4096

/** Nothing in it then moves a cursor, ends a line, or turns the direction of writing. */
export function escapeMoving(text: string): string {
  return text.replace(moving, escapeCharacter)
}

/** A target as it is shown: escaped and cut. */
export function escapeTarget(text: string): string {
  const escaped = escapeMoving(text.slice(0, maxTarget))
  // No character that is two units is cut in half.
  return /^[\s\S]{0,4096}(?<![\ud800-\udbff])/.exec(escaped)?.[0] ?? ''
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return shorthands[character] ?? `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

/** Whether it can be shown as it is. */
export function isPlain(text: string): boolean {
  return escapeTarget(text) === text && !text.includes('\ufffd')
}
