// bubblewrap with namespaces for everything: no network, no other processes.

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
