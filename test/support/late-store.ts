// A store whose first looks at a running job are old by the time they are told: the job has printed its rest, and ended.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../../lib/commands/jobs/job.js'
import { JobStore } from '../../lib/commands/jobs/store.js'
import type { WaitedJob, WaitJobOptions } from '../../lib/commands/jobs/wait.js'

export class LateStore extends JobStore {
  readonly #release: () => void
  #isReleased = false

  /**
   * @param directory that of the jobs
   * @param fifo the job waits for a line from it
   */
  constructor(directory: string, fifo: string) {
    super({ directory })
    this.#release = () => writeFileSync(fifo, '\n')
  }

  override async get(id: string): Promise<Job> {
    return await this.#letEnd(await super.get(id))
  }

  override async wait(id: string, options?: WaitJobOptions): Promise<WaitedJob> {
    return await this.#letEnd(await super.wait(id, options))
  }

  async #letEnd<Looked extends Job>(job: Looked): Promise<Looked> {
    if (job.status !== 'running' || this.#isReleased) return job
    this.#isReleased = true
    this.#release()
    await super.wait(job.id)
    return job
  }
}

/** Prints `before`, and once the store has looked at it, `after`. */
export const lateCommand = (
  directory: string,
  before: string,
  after: string,
): { command: string; fifo: string } => {
  const fifo = join(directory, 'go')
  return { fifo, command: `mkfifo '${fifo}'; ${before}; read -r line <'${fifo}'; ${after}` }
}
