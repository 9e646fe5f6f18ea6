// bashward/acp for `import`.

import { RequestError } from '@agentclientprotocol/sdk'
import { bindAcpTerminals } from './acp-terminals.js'

export type { AcpTerminals, AcpTerminalsOptions } from './acp-terminals.js'

export const acpTerminals = bindAcpTerminals(RequestError)
