// The size that a job's terminal gets where it is to fill a person's.

import type { Size } from '../../../terminals/terminal/painted-frame.js'
import { maxTerminal } from '../../../terminals/terminal/size.js'
import type { JobSize } from './growing-screen.js'

/** The last row is that of the status. */
export const jobSizeFor = ({ rows, columns }: Size): JobSize => ({
  rows: Math.max(1, Math.min(rows - 1, maxTerminal.rows)),
  cols: Math.min(columns, maxTerminal.cols),
})
