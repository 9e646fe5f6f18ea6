// Few tools judge: the options of verdicts are loaded for those that do.

import { part } from '../../base/util/load-part.js'
import type * as Options from './options.js'

export const verdictOptions = part((): typeof Options => require('./options.js'))
