// What the model reads of a call of BashOutput or KillBash that failed.

/** Messages about ids and filters speak for themselves. */
export function errorText(error: { code: string; message: string } | undefined): string {
  if (error === undefined) return '[system error]'
  if (error.code === 'ERR_INVALID_INPUT') return `[invalid input: ${error.message}]`
  return error.code.startsWith('ERR_JOB_') || error.code === 'ERR_INVALID_FILTER'
    ? error.message
    : `[system error: ${error.message}]`
}
