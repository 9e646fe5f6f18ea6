// Why a row of the matrix could not be judged. The table shows it, with its kind.

export class RowFailure extends Error {
  /**
   * @param {'noKernel' | 'noTool' | 'notBuilt' | 'noRoot' | 'timeLimit' | 'noResult'} kind
   *   - `noKernel`, `noRoot`: a package could not be had
   *   - `noTool`: a program is not installed
   *   - `notBuilt`: the addon, the supervisor or a test program could not be built for the guest
   *   - `timeLimit`: the guest was ended at its limit
   *   - `noResult`: the guest ended before it had done everything
   * @param {string} message
   */
  constructor(kind, message) {
    super(message)
    this.name = 'RowFailure'
    this.kind = kind
  }
}
