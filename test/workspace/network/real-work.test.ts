// Servers that a command starts for itself, over TCP and local sockets, do in Workspace mode what they do without.
import { networkWorks } from '../../fixtures/workspace/network-work.cjs'
import { compareWork } from '../compare-work.js'

compareWork(networkWorks, { ofNetwork: true })
