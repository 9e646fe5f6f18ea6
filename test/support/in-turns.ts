// Long tables whose every case is tried as each of several users, or with and without a sandbox.

/** Set by jest.rest.config.js. */
const inTurns = process.env.BASHWARD_TEST_IN_TURNS === '1'

/**
 * Which cases one of several columns takes: all of them; in .ci/run only every second one where there are two, so that
 * each case is tried once. `npm run test:all` tries each in each column.
 *
 * @param column the place of the column, from 0
 * @param columns how many there are; with one it takes all cases
 */
export const casesInTurn = <T>(cases: readonly T[], column: number, columns: number): T[] =>
  cases.filter((_, index) => !inTurns || index % columns === column)

/**
 * The errors with which the call of a row is tried: all as root, the first as another user. In .ci/run the first, as one
 * of two users in turn: all of a row take the same way.
 */
export const errorsInTurn = (
  errors: readonly string[],
  row: number,
  ordinaryUser: boolean,
  columns: number,
): string[] => {
  const isTurn = row % columns === Number(ordinaryUser) % columns
  return errors.slice(0, inTurns ? Number(isTurn) : ordinaryUser ? 1 : undefined)
}

/** What of a long table .ci/run takes: only every second case. `npm run test:all` takes all. */
export const everySecondInTurn = <T>(cases: readonly T[]): T[] => casesInTurn(cases, 0, 2)
