// bubblewrap with namespaces for everything: no network, no processes of others.

import { bubblewrap } from '../harness/bubblewrap.mjs'

export default bubblewrap('bwrap --unshare-all', [
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--unshare-all',
])
