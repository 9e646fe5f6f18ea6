// Lines of a command's output that look like ours. Where one of ours could stand, at both ends of what is shown, such a line
// begins with a backslash: in texts for models only.

/**
 * How our lines begin. What stands within the output itself is not among them: the marks of what was cut or taken out, and
 * what a supervisor writes into the file of a job.
 */
const forms = [
  // How a command ended, or did not.
  String.raw`command (?:failed: |timed out|cancelled\]|rejected: |completed\]|killed|lost\])`,
  'STILL RUNNING after ',
  String.raw`(?:running|completed|lost|killed|timed out|call cancelled|how it ended is not known)\]`,
  '(?:failed: exit code|killed:|not running|not run:|needs approval:) ?',
  '(?:invalid input|input rejected|nothing was typed): ',
  String.raw`system error[\]:]`,
  'sandbox(?: unavailable)?: ',
  '(?:grep|egrep|fgrep|rg|git grep|pgrep|which|diff|cmp|git diff|test): (?:no |not |the |there )',
  // What is to be known of the output.
  String.raw`no(?:ne| output| background commands)\]`,
  'output (?:truncated|is not (?:text|complete)|not saved|saved)',
  '(?:whole|first [0-9.]+[KMGT]?B of the) output saved: ',
  'selected from what was left out: ',
  'the last (?:byte|[0-9]+ bytes) (?:is|are) held back ',
  String.raw`it has run; what it printed was not kept\]`,
  'the call was made before: ',
  'to read what (?:follows|was left out): ',
  'the filter ran out of time; ',
  'of the command, (?:its lines end|the byte order mark) |the command has an? ',
  // What it left, and what goes on.
  'still running(?: as job |: )',
  'it had become background job ',
  'did not go on in the background: ',
  'listening: ',
  '(?:session state not saved|session reset|without what start-up files set|when it timed out): ',
  '(?:CPU time|file size|scratch directory|memory) limit of |limit of [0-9]+ processes ',
  // Of background jobs.
  'until has matched: ',
  String.raw`no line has matched until\]`,
  'waited [0-9.]+s: ',
  'nothing printed since the last read: ',
  String.raw`(?:at least|and) [0-9]+ more(?:\]| background jobs)`,
  String.raw`job \S+ (?:ended: |has printed:|listens on |is still running, |\(process group )`,
  'its supervisor has ended |[0-9]+ (?:bytes of output|notes about the sandbox) could not be written: ',
  // Of terminals.
  'a person (?:was asked|could not be asked)',
  String.raw`(?:(?:seems to ask|asks) for a secret|waits for (?:a line|keys)|accepts keys|probably waits for input)[:;\]]`,
  String.raw`(?:running|stopped): |is stopped[:;\]]|screen (?:[0-9]+x|not available: )`,
]

const notice = new RegExp(String.raw`^(?:\[(?:${forms.join('|')})|<(?:bash_id|pid|output_file|reminder)>)`)

/** Characters of a line that are looked at, behind those at its beginning that nobody sees. */
const looked = 400
const sequence = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~])`
const blank = String.raw`\s\u115f\u1160\u2800\u3164\uffa0`
const invisible = String.raw`${sequence}|[\p{Cc}\p{Cf}\u034f\ufe00-\ufe0f]`
const lead = new RegExp(`(?:${invisible}|[${blank}])*`, 'uy')
const unseen = new RegExp(invisible, 'gu')
const blanks = new RegExp(`[${blank}]+`, 'gu')

/** Whether a line has the form of one of ours. */
export function isNotice(line: string): boolean {
  if (!line.includes('[') && !line.includes('<')) return false
  lead.lastIndex = 0
  lead.test(line)
  const start = line.slice(lead.lastIndex, lead.lastIndex + looked)
  return notice.test(start.replace(unseen, '').replace(blanks, ' '))
}

/**
 * The output with a backslash before each line at its beginning, and at its end, that has the form of one of ours.
 *
 * @param isCut whether it holds our own line about what was cut
 */
export function withoutImitations(output: string, isCut = false): string {
  const isOwn = (line: string) => isCut && /^\[(?:output truncated|selected from)/.test(line)
  const starts: number[] = []
  const lookFrom = (known: number) => (start: number, end: number) => {
    const line = output.slice(start, end)
    if (line.trim() === '') return true
    // It stands between two parts of the output, and never at an end of it.
    if ((starts.length > known && isOwn(line)) || !isNotice(line)) return false
    starts.push(start)
    return true
  }
  let look = lookFrom(0)
  let from = 0
  for (let end = 0; from < output.length; from = end + 1) {
    end = lineEnd(output, from)
    if (!look(from, end)) break
  }
  look = lookFrom(starts.length)
  for (let end = output.length; end > from; ) {
    const start = lineStart(output, end)
    if (start < from || !look(start, end)) break
    end = start - 1
  }
  if (starts.length === 0) return output
  let shown = ''
  let at = 0
  for (const start of starts.sort((one, other) => one - other)) {
    shown += `${output.slice(at, start)}\\`
    at = start
  }
  return shown + output.slice(at)
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++
  return at
}

function lineStart(text: string, end: number): number {
  let at = end
  while (at > 0 && !isBreak(text.charCodeAt(at - 1))) at--
  return at
}

/** What may end a line for a reader: a newline, a carriage return, and what Unicode has besides. */
const isBreak = (code: number): boolean =>
  (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029
