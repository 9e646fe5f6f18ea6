// bubblewrap as it is used at its simplest: files are read-only. The network is open.

import { bubblewrap } from '../harness/bubblewrap.mjs'

export default bubblewrap(['--ro-bind', '/', '/', '--dev', '/dev'])
