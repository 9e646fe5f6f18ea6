// A test that this machine cannot run says why; where nothing may be left out, that is a failure.

/**
 * Prints the reason to stderr. With `BASHWARD_MUST_WORK=1` in the environment (set where every protection must
 * be tested) it throws instead. Return from the test right after it.
 */
export const cannotTest = (reason: string): void => {
  const test = expect.getState().currentTestName ?? ''
  if (process.env.BASHWARD_MUST_WORK === '1') throw new Error(`${reason} (BASHWARD_MUST_WORK=1 forbids it)`)
  process.stderr.write(`not tested here: ${test}: ${reason}\n`)
}
