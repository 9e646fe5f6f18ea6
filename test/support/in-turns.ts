// Long tables whose every case is tried in several columns: as each of some users, on each of some surfaces.

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

/** What of a list whose cases come to the same is tried: all of it; in .ci/run only the first. */
export const firstInTurn = <T>(cases: readonly T[]): readonly T[] => cases.slice(0, inTurns ? 1 : undefined)
