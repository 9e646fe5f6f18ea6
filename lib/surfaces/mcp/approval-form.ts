// What a person is asked about a command, and what the answer means: a form of MCP's elicitation.

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { escapeMoving } from '../../guard/sandbox/denial-targets.js'
import { show } from '../../guard/verdicts/show.js'
import { quoteName } from '../../terminals/terminal/names.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../tools/verdicts/options.js'

/** As it is sent to a client. */
export type ApprovalForm = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>

/** Of a command: its first and last lines and characters are shown. */
const shownLines = { first: 75, last: 25 }
const shownCharacters = { first: 3000, last: 1000 }
/** Characters of a reason, and of a path. */
const maxReason = 400
/** Characters of what the person has to say about a refusal. */
const maxAnswer = 1000

/** The question, with the answers that there are. */
export function approvalForm(request: ApprovalRequest): ApprovalForm {
  const what = asksAbout(request)
  const prefixes = prefixesOf(request)
  const answers = [
    `once: ${what.doIt}`,
    ...(prefixes.length === 0
      ? []
      : [
          `always: ${what.doIt} and, until this connection ends, commands that begin with ${prefixes.join(' or ')} without asking`,
        ]),
    `deny: do not ${what.doIt}`,
  ]
  return {
    // The command comes last and is indented: no line of it can be taken for one of the question.
    message: `${what.question}\n\n${reasonsOf(request).join('\n')}\n\n${shownCommand(what.shown)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Answer',
          description: answers.join('; '),
          // Plain names: titles are written in one way by the protocol of June 2025, and in another since.
          enum: prefixes.length === 0 ? ['once', 'deny'] : ['once', 'always', 'deny'],
        },
        reason: {
          type: 'string',
          title: 'Reason',
          description: 'If you deny it: what the model is told',
          maxLength: maxAnswer,
        },
      },
      required: ['answer'],
    },
  }
}

function asksAbout(request: ApprovalRequest): { question: string; doIt: string; shown: string } {
  const { command, workingDir } = request
  const place = shorten(escapeMoving(workingDir), maxReason)
  if (request.kind !== 'input') {
    return { question: `Run this command in ${place}?`, doIt: 'run it', shown: command }
  }
  const { keys, text, submit, program } = request
  const into = `${program === '' ? 'a program' : quoteName(program)} of the command ${show(command)} in ${place}`
  if (keys.length > 0)
    return { question: `Press these keys in ${into}?`, doIt: 'press them', shown: keys.join(' ') }
  return {
    question: `Type this into ${into}${submit ? '' : ', without Enter'}?`,
    doIt: 'type it',
    shown: text,
  }
}

/**
 * @param result what came from the client, unchecked
 * @returns undefined for what is no answer to this form
 */
export function approvalAnswer(result: unknown, request: ApprovalRequest): ApprovalAnswer | undefined {
  const { action, content } = (result ?? {}) as { action?: unknown; content?: unknown }
  // Clients without a person do so by themselves, and do not say so.
  if (action === 'decline') return { deny: 'The client has declined it.' }
  if (action === 'cancel') return { deny: 'The client has closed the question without an answer.' }
  if (action !== 'accept') return undefined
  const { answer, reason } = (content ?? {}) as { answer?: unknown; reason?: unknown }
  switch (answer) {
    case 'once':
      return 'once'
    case 'always':
      // What was not offered is no answer.
      return prefixesOf(request).length > 0 ? 'always' : undefined
    case 'deny': {
      const said = typeof reason === 'string' ? reason.trim() : ''
      return { deny: shorten(escapeMoving(said), maxAnswer) }
    }
    default:
      return undefined
  }
}

/** Of the commands that "always" would allow, as they are shown. */
function prefixesOf(request: ApprovalRequest): string[] {
  if (request.kind === 'grant') return []
  return (request.judgement.suggestion ?? []).map((prefix) => show(prefix.join(' ')))
}

function reasonsOf(request: ApprovalRequest): string[] {
  if (request.kind !== 'grant') {
    return request.judgement.reasons.map(({ message }) => shorten(escapeMoving(message), maxReason))
  }
  const { operation, target, grant } = request.denial
  const refused = shorten(`${operation} ${escapeMoving(target)}`, maxReason)
  const given = shorten(escapeMoving(JSON.stringify(grant)), maxReason)
  return [`The sandbox has refused it: ${refused}`, `It would run once more, and be given ${given}`]
}

function shownCommand(command: string): string {
  const lines = command.split('\n')
  const hidden = lines.length - shownLines.first - shownLines.last
  const shown = hidden <= 1 ? lines : [...lines.slice(0, shownLines.first), ...lines.slice(-shownLines.last)]
  const text = shown.map((line) => `    ${escapeMoving(line)}`)
  if (hidden > 1) text.splice(shownLines.first, 0, `[… ${hidden} lines are not shown …]`)
  return cutMiddle(text.join('\n'))
}

function cutMiddle(text: string): string {
  const { first, last } = shownCharacters
  const hidden = text.length - first - last
  if (hidden <= 0) return text
  return `${shorten(text, first, '')}\n[… ${hidden} characters are not shown …]\n    ${text.slice(-last).replace(/^[\udc00-\udfff]/, '')}`
}

/** No character that is two units is cut in half. */
function shorten(text: string, length: number, end = '…'): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '') + end
}
