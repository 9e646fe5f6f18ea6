// Starts a command, cancels it on request, and reports when it did and when the call returned. Times are
// CLOCK_MONOTONIC in milliseconds, which the harness can compare with its own.

const running = new Map()

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

/** @param {{ key: string, command: string, cwd: string }} request */
export function begin({ key, command, cwd }, contender) {
  const controller = new AbortController()
  const settled = Promise.resolve(contender.run(command, { cwd, cancelSignal: controller.signal })).then(
    monotonicMs,
    monotonicMs,
  )
  running.set(key, { controller, settled })
  return {}
}

/** @param {{ key: string }} request */
export function abort({ key }) {
  const abortedAt = monotonicMs()
  running.get(key).controller.abort()
  return { abortedAt }
}

/** @param {{ key: string }} request */
export async function settled({ key }) {
  const settledAt = await running.get(key).settled
  running.delete(key)
  return { settledAt }
}
