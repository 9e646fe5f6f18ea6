// bubblewrap at its simplest: files are read-only, the network is open.

import { bubblewrap } from '../harness/bubblewrap.mjs'

export default bubblewrap('bwrap --ro-bind', ['--ro-bind', '/', '/', '--dev', '/dev'])
