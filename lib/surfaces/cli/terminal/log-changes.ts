// Being told that a job has printed something.

import { type FSWatcher, watch } from 'node:fs'

/** Where nothing is told: no instance of inotify is left. Milliseconds. */
const pollMs = 100

/** @returns a function that ends it */
export function onLogChange(outputFile: string, onChange: () => void): () => void {
  let watcher: FSWatcher
  let timer: NodeJS.Timeout | undefined
  const poll = () => {
    timer ??= setInterval(onChange, pollMs)
  }
  try {
    watcher = watch(outputFile, onChange)
  } catch {
    poll()
    return () => clearInterval(timer)
  }
  watcher.on('error', poll)
  return () => {
    watcher.close()
    clearInterval(timer)
  }
}
