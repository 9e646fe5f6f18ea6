// What the record of a job's end says of the job itself: little enough that its end and its last lines fit, too.

import { crypto } from '../../../base/util/lazy.js'
import type { JobDescription } from '../record.js'

/** UTF-8 bytes as JSON. */
const maxCommandBytes = 1000
const maxConversationBytes = 600

/** The beginning of the record's JSON object: without its last brace, with a comma at its end, and without a line break. */
export function briefOf({ id, command, conversationId, createdAt }: JobDescription): string {
  const text = JSON.stringify({
    version: 1,
    id,
    command: shortened(command),
    conversation: conversationKey(conversationId),
    createdAt,
  })
  return `${text.slice(0, -1)},`
}

/** A conversation's id, or of a long one a digest. */
export function conversationKey(conversationId: string | null): string | null {
  if (conversationId === null || jsonBytes(conversationId) <= maxConversationBytes) return conversationId
  return `sha256:${crypto().createHash('sha256').update(conversationId, 'utf16le').digest('hex')}`
}

function shortened(command: string): string {
  let text = command.slice(0, maxCommandBytes)
  while (jsonBytes(text) > maxCommandBytes) text = text.slice(0, Math.floor(text.length * 0.9))
  return text
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text))
