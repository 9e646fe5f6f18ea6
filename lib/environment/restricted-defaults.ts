// What keeps programs in Restricted mode from trying for long to reach a network that is not there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import { once } from '../util/lazy.js'

/** Wget has no variable for it, but for the file with its settings. What the user's own says is about a network. */
const wgetrc = join(packageRoot, 'dist', 'wgetrc')

/** The host's own values, and the caller's, go before. */
export const restrictedDefaults = once((): Readonly<Record<string, string>> => {
  return {
    npm_config_offline: 'true',
    // What offline does not keep from asking: `npm ping`
    npm_config_fetch_retries: '0',
    CARGO_NET_RETRY: '0',
    // With none pip would not say that there was no connection
    PIP_RETRIES: '1',
    ...(existsSync(wgetrc) ? { WGETRC: wgetrc } : {}),
  }
})
