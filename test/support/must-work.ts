// A test that cannot run on this machine says why. Where nothing may be left out, that is a failure.

/** Prints the reason to stderr. */
const tell = (reason: string): void => {
  process.stderr.write(`not tested here: ${expect.getState().currentTestName ?? ''}: ${reason}\n`)
}

/**
 * Prints the reason to stderr. With `BASHWARD_MUST_WORK=1` in the environment (set where every protection must
 * be tested) it throws instead. Return from the test right after it.
 */
export const cannotTest = (reason: string): void => {
  if (process.env.BASHWARD_MUST_WORK === '1') throw new Error(`${reason} (BASHWARD_MUST_WORK=1 forbids it)`)
  tell(reason)
}

/**
 * The same for tests that need root: for an ordinary user without sudo(8) it only prints the reason. Return from the
 * test right after it.
 */
export const onlyRootCanTest = (reason: string): void =>
  (process.getuid?.() === 0 ? cannotTest : tell)(reason)

/** Prints the reason why a host of an ordinary user leaves out what that of root tries. Return from the test after it. */
export const onlyRootsHostCan = tell
