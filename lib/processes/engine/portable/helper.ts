// One small shell beside the host. It makes named pipes, because Node cannot, and forking it costs less than forking a
// large host; and when the host is gone, however that came, it kills the commands that were running.

import { AsyncResource } from 'node:async_hooks'
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { systemProgram } from '../../../base/util/system-programs.js'

/**
 * POSIX sh, which is given mkfifo(1) and sleep(1). A line is a word and the rest: `pipe PATH` is answered by `ok`, or by what
 * mkfifo says; `watch PGID` and `forget PGID` are not answered. The end of the input is the end of the host.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while IFS=' ' read -r act rest; do
  case $act in
    pipe)
      if why=$("$1" -m 600 "$rest" 2>&1); then echo ok; else echo "$why"; fi ;;
    watch) groups="$groups$rest " ;;
    forget)
      case $groups in
        *" $rest "*) groups="\${groups%% $rest *} \${groups#* $rest }" ;;
      esac ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" && kill -s CONT -- "-$group"; done 2>/dev/null
[ "$groups" = ' ' ] || "$2" 0.5 || "$2" 1
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
`

interface Running {
  /** Its pipes, which are sockets; none when the system has no descriptors for them. */
  input: Socket | null
  answers: Socket | null
  /** Who waits for an answer, in the order of asking. */
  waiting: { resolve: (answer: string | undefined) => void; reject: (cause: Error) => void }[]
}

class Helper {
  #running: Running | undefined
  readonly #groups = new Set<number>()

  /**
   * Makes a named pipe.
   *
   * @param path in a directory of our own; without newlines
   * @throws {Error} the system's, when the helper cannot be started; with the words of mkfifo(1)
   */
  async makePipe(path: string): Promise<void> {
    // A command may have killed it: once more, then.
    const answer = (await this.#ask(`pipe ${path}`)) ?? (await this.#ask(`pipe ${path}`))
    if (answer !== 'ok') throw new Error(answer ?? 'the helper of the portable engine was killed')
  }

  /** Has the process group killed when this process is gone. */
  watch(pgid: number): void {
    this.#groups.add(pgid)
    this.#tell(`watch ${pgid}`)
  }

  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) this.#tell(`forget ${pgid}`)
  }

  /** @returns undefined when it ended before it answered */
  #ask(line: string): Promise<string | undefined> {
    const { input, answers, waiting } = this.#start()
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      // Whoever waits for it keeps the event loop alive, and nothing else.
      answers?.ref()
      input?.write(`${line}\n`)
    })
  }

  #tell(line: string): void {
    this.#running?.input?.write(`${line}\n`)
  }

  #start(): Running {
    if (this.#running !== undefined) return this.#running
    const child = moduleContext.runInAsyncScope(spawnHelper)
    const [input, answers] = [child.stdin as Socket | null, child.stdout as Socket | null]
    const running: Running = { input, answers, waiting: [] }
    const { waiting } = running
    this.#running = running
    const end = (cause?: Error) => {
      if (this.#running === running) this.#running = undefined
      for (const { resolve, reject } of waiting.splice(0)) {
        if (cause === undefined) resolve(undefined)
        else reject(cause)
      }
    }
    child.once('error', end).once('exit', () => end())
    input?.on('error', () => {})
    if (answers) {
      createInterface({ input: answers }).on('line', (answer) => {
        waiting.shift()?.resolve(answer)
        if (waiting.length === 0) answers.unref()
      })
    }
    child.unref()
    input?.unref()
    answers?.unref()
    for (const pgid of this.#groups) this.#tell(`watch ${pgid}`)
    return running
  }
}

function spawnHelper(): ChildProcess {
  const programs = ['mkfifo', 'sleep'].map(systemProgram)
  return spawn('/bin/sh', ['-c', script, 'bashward-helper', ...programs], {
    cwd: '/',
    // A session of its own: what a terminal sends to the host is not for it.
    detached: true,
    env: { LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

const moduleContext = new AsyncResource('bashward')

export const helper = new Helper()
