// bubblewrap as it is used at its simplest: files are read-only. The network is open.

import { bubblewrap } from '../harness/bubblewrap.mjs'

export default bubblewrap('bwrap --ro-bind', ['--ro-bind', '/', '/', '--dev', '/dev'])
