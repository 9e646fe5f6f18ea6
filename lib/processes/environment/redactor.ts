// What withheld variables come to in output: each is looked for in every form, and tokens by their shape if that is asked
// for. Loaded when there is something to look for.

import { beginningOf } from '../output/redact/beginning-of.js'
import { finderOf, Redactor } from '../output/redact/redactor.js'
import type { Shape } from '../output/redact/shapes.js'
import { isDistinctive, isDistinctiveLine } from './distinctive.js'
import type { Withheld } from './filter.js'
import { secretValueRules } from './secrets.js'

export interface Redacting {
  withheld?: readonly Withheld[] | undefined
  tokens: boolean
}

/** By the list that an environment has until it changes. */
const ofLists = new WeakMap<readonly Withheld[], Map<boolean, Redactor | undefined>>()
/** The last ones by their content: some environments are read anew for each command. */
const ofContents: { key: string; redactor: Redactor | undefined }[] = []
const mostContents = 8
const nothing: readonly Withheld[] = []

/** @returns undefined when there is nothing to look for */
export function redactorFor({ withheld = nothing, tokens }: Redacting): Redactor | undefined {
  const ofList = ofLists.get(withheld) ?? new Map<boolean, Redactor | undefined>()
  if (!ofList.has(tokens)) {
    ofList.set(tokens, ofContent(withheld, tokens))
    ofLists.set(withheld, ofList)
  }
  return ofList.get(tokens)
}

function ofContent(withheld: readonly Withheld[], tokens: boolean): Redactor | undefined {
  const key = JSON.stringify([withheld, tokens])
  const found = ofContents.find((each) => each.key === key)
  if (found !== undefined) return found.redactor
  const texts = new Map(withheld.flatMap(([name, value]) => textsOf(value).map((text) => [text, name])))
  const isIdle = texts.size === 0 && !tokens
  const values = [...texts].map(([text, name]) => [name, text] as const)
  const redactor = isIdle ? undefined : new Redactor([finderOf(values)], tokens ? tokenShapes() : [])
  ofContents.unshift({ key, redactor })
  ofContents.length = Math.min(ofContents.length, mostContents)
  return redactor
}

/** What of a value is looked for: all of it, its longer lines, the password of a URL, and what authorizes in a header. */
function textsOf(value: string): string[] {
  const texts = isDistinctive(value) ? [value] : []
  const lines = value.split('\n').map((line) => line.trim())
  if (lines.length > 1)
    texts.push(...lines.filter((line) => line.length >= leastLine && isDistinctiveLine(line)))
  const password = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#:@]*:([^\s/]+)@/i.exec(value)?.[1]
  if (password !== undefined) texts.push(...new Set([password, decoded(password)].filter(isDistinctive)))
  const credentials = /(?:^|[\s:=])(basic|bearer|token)\s+([\w+/=.~-]+)$/i.exec(value)
  if (credentials !== null) {
    const [, scheme = '', text = ''] = credentials
    texts.push(
      ...[text, ...(scheme.toLowerCase() === 'basic' ? [passwordOf(text)] : [])].filter(isDistinctive),
    )
  }
  return texts
}

/** Of a name and a password in base64. */
function passwordOf(text: string): string {
  const pair = Buffer.from(text, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}

const leastLine = 16

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Those of the rules by value whose expression has all of the token, with the rest of it where that is left open. */
const tokenRules = [
  ...['jwt', 'aws-key', 'google-key', 'forge-token', 'registry-token', 'model-key', 'service-key'],
  'chat-token',
]

const moreOfToken = String.raw`(?:[\w/+=-]|\.(?=\w))*`

function tokenShapes(): Shape[] {
  const shapes = secretValueRules
    .filter(({ name }) => tokenRules.includes(name))
    .map(({ name, pattern: { source } }) => ({
      name,
      pattern: new RegExp(`(?:${source})${moreOfToken}`, 'g'),
      beginning: beginningOf(source),
    }))
  const key =
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]{0,16384}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/g
  return [...shapes, { name: 'private-key', pattern: key, beginning: beginningOf('-----BEGIN ') }]
}
