// bashward/acp for require(). The same for `import` is in acp.mts.

import { RequestError } from '@agentclientprotocol/sdk'
import { bindAcpTerminals } from './acp-terminals.js'

export type { AcpTerminals, AcpTerminalsOptions } from './acp-terminals.js'

export const acpTerminals = bindAcpTerminals(RequestError)
