// A task queue of the scripted server.

const pollMs = 5_000

/** Tasks that wait for a poll, or polls that wait for a task. */
export class Queue {
  #tasks = []
  #polls = new Set()

  push(task) {
    const [poll] = this.#polls
    if (poll === undefined) this.#tasks.push(task)
    else poll(task)
  }

  /** @returns undefined when none has come for a while, or nobody waits any more */
  next(call) {
    if (this.#tasks.length > 0) return this.#tasks.shift()
    return new Promise((resolve) => {
      const poll = (task) => {
        this.#polls.delete(poll)
        clearTimeout(timer)
        resolve(task)
      }
      const timer = setTimeout(poll, pollMs)
      call.on('cancelled', () => poll())
      this.#polls.add(poll)
    })
  }
}
