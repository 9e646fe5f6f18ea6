// Variables that lead tools to the proxy, and their caches to a directory that they can write to.

import { join } from 'node:path'
import { proxyUser } from './grant.js'

/** How a command calls its own servers. It reaches them directly; the proxy is in another place. */
const ownNames = ['localhost', '127.0.0.1', '::1']

/**
 * Java's JAVA_TOOL_OPTIONS is not among them: java prints its value, token and all, before every run.
 *
 * @param port of the proxy
 * @param token of the command
 * @param domains in canonical form. A service of this machine that is listed is reached by the proxy; the command's own
 *   servers have other names left
 */
export function proxyVariables(
  port: number,
  token: string,
  domains: readonly string[] = [],
): Readonly<Record<string, string>> {
  const listed = domains.map((entry) => entry.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  const notByProxy = ownNames.filter((name) => !listed.includes(name)).join()
  const url = `http://${proxyUser}:${token}@127.0.0.1:${port}`
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: notByProxy,
    no_proxy: notByProxy,
    // npm before 7 and pnpm read their own settings first.
    npm_config_proxy: url,
    npm_config_https_proxy: url,
    npm_config_noproxy: notByProxy,
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    PIP_PROXY: url,
    CARGO_HTTP_PROXY: url,
    // fetch() of Node knows proxies since 22.21, when asked.
    NODE_USE_ENV_PROXY: '1',
  }
}

/**
 * HOME and /tmp may not be writable; caches there would fail, with whatever needs them.
 *
 * @param directory an absolute path, writable for the command; what is named in it need not be there
 */
export function cacheVariables(directory: string): Readonly<Record<string, string>> {
  const within = (...names: string[]): string => join(directory, ...names)
  return {
    TMPDIR: directory,
    XDG_CACHE_HOME: within('cache'),
    npm_config_cache: within('cache', 'npm'),
    YARN_CACHE_FOLDER: within('cache', 'yarn'),
    PIP_CACHE_DIR: within('cache', 'pip'),
    UV_CACHE_DIR: within('cache', 'uv'),
    GOCACHE: within('cache', 'go-build'),
    GOMODCACHE: within('cache', 'go-mod'),
    CARGO_HOME: within('cache', 'cargo'),
  }
}
