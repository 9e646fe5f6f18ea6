// What lasts from call to call: of a connection over stdin and stdout, or over HTTP of what its client names.

import type { JobStore } from '../../commands/jobs/store.js'
import { BashSession } from '../../commands/session/bash-session.js'
import { OpenQuestions } from './approval.js'
import { JobNews } from './news.js'
import { RememberedRules } from './remembered-rules.js'

export class Conversation {
  readonly news: JobNews
  /** Undefined: its calls share none. */
  readonly session: BashSession | undefined
  readonly questions = new OpenQuestions()
  readonly remembered = new RememberedRules()
  readonly #listeners = new Set<(text: string) => void>()

  /** @param sessionDir where its session begins; undefined: it has none */
  constructor(jobs: JobStore, sessionDir: string | undefined) {
    this.news = new JobNews(jobs, (text) => {
      for (const listener of this.#listeners) listener(text)
    })
    this.session = sessionDir === undefined ? undefined : new BashSession({ workingDir: sessionDir })
  }

  /** @param listener told when one of its background jobs ends, at once */
  listen(listener: (text: string) => void): void {
    this.#listeners.add(listener)
  }

  ignore(listener: (text: string) => void): void {
    this.#listeners.delete(listener)
  }

  /** Nobody is told of its jobs any more; they go on. */
  close(): void {
    this.news.close()
    this.#listeners.clear()
  }
}
