// Starts the process that looks at others: a command of the engine, which starts it without a copy of this process, ends it in
// time whatever it hangs in, and lets it not outlive its host.

import { statSync } from 'node:fs'
import { quote } from '../../base/util/bash-quotes.js'
import { isOneFileProgram } from '../../base/util/one-file-program.js'
import { findBash } from '../../guard/sandbox/find-bash.js'
import type { Completion } from '../../processes/engine/completion.js'
import type { Engine } from '../../processes/engine/engine.js'
import type { CommandRequest } from '../../processes/engine/request.js'
import type { Found, LookOrder } from './finding.js'
import { lookProgram } from './program.js'

export interface Look {
  /** What it has said by its end; undefined for nothing. Never rejects. */
  readonly answer: Promise<Found[] | undefined>
  /** Ends it. */
  stop(): void
}

/** At once: one takes as much memory as a small Node program does. */
const maxLooks = 3
/** Beyond its own deadline, milliseconds. */
const graceMs = 200
const maxAnswerBytes = 1024 * 1024

let running = 0

// Read while this file loads: later a command may have written to it.
const program = lookProgram()

/** @returns undefined where there can be none, or while too many are under way */
export function startLook(engine: Engine, order: LookOrder): Look | undefined {
  if (running >= maxLooks || !canLook()) return undefined
  let id: number | undefined
  let onAnswer: (answer: Found[] | undefined) => void = () => {}
  const answer = new Promise<Found[] | undefined>((resolve) => {
    onAnswer = resolve
  })
  try {
    running += 1
    id = engine.start(requestFor(order), (completion) => {
      running -= 1
      onAnswer(answerIn(completion))
    })
  } catch {
    // No descriptor is left, for one: nobody fails for want of an explanation.
    running -= 1
    return undefined
  }
  return { answer, stop: () => engine.cancel(id) }
}

/** Where `process.execPath` executes something else than scripts for Node, nothing is tried. */
export function canLook({ bun, deno } = process.versions): boolean {
  const isNode = bun === undefined && deno === undefined && !isOneFileProgram()
  return process.platform === 'linux' && isNode
}

function requestFor(order: LookOrder): CommandRequest {
  const code = `${program}\n;module.exports.main(process.argv[1])`
  const words = ['--no-warnings', '--input-type=commonjs', '-e', code, JSON.stringify(order)]
  return {
    shell: findBash(),
    command: `${chooseNode()}; exec "$node" ${words.map(quote).join(' ')}`,
    directory: '/',
    environment: Buffer.from(process.versions.electron === undefined ? '' : 'ELECTRON_RUN_AS_NODE=1\0'),
    separateStreams: true,
    headBytes: maxAnswerBytes,
    tailBytes: 0,
    timeoutMs: Math.max(1, order.deadline + graceMs - Date.now()),
    graceMs: 0,
    killSurvivors: true,
    savePath: '',
    saveLimit: 0,
    background: false,
    job: undefined,
    adoption: undefined,
    session: undefined,
    limits: [],
    confinement: undefined,
  }
}

/**
 * The program that runs, also when something else is at its path by now. Of a host that is protected others cannot tell which
 * it is: then the path, if that still leads to it.
 */
function chooseNode(): string {
  const own = `/proc/${process.pid}/exe`
  const path = isSameFile('/proc/self/exe', process.execPath) ? process.execPath : '/nowhere'
  return `node=${own}; test -x $node || node=${quote(path)}`
}

function isSameFile(one: string, other: string): boolean {
  try {
    const [first, second] = [statSync(one), statSync(other)]
    return first.dev === second.dev && first.ino === second.ino
  } catch {
    return false
  }
}

/** What it has said last, also if it was ended then: of the last line there may be a part. */
function answerIn({ streams: [stream] }: Completion): Found[] | undefined {
  const text = typeof stream === 'string' ? stream : stream.head.toString('latin1')
  for (const line of text.split('\n').reverse()) {
    const parsed = parse(line)
    if (parsed !== undefined) return parsed
  }
  return undefined
}

function parse(line: string): Found[] | undefined {
  try {
    const answer: unknown = JSON.parse(line)
    return Array.isArray(answer) ? answer : undefined
  } catch {
    return undefined
  }
}
