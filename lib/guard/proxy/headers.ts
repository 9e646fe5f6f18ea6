// Headers on their way through the proxy. What concerns one connection is not passed on.

/** By RFC 9110, 7.6.1, and what has been sent to proxies without being in it. `trailer` goes with the trailers. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authorization', 'proxy-authenticate', 'proxy-authentication-info'],
])

/** A connection is the proxy's own, and so is the answer to Expect; HTTP2-Settings belongs to an upgrade. */
const notOfRequests: ReadonlySet<string> = new Set(['host', 'expect', 'content-length', 'http2-settings'])

/** Names and values in turn, as Node has them. */
type RawHeaders = readonly string[]

/** More than any tool sends; the bytes of all are bounded by the server. */
export const maxHeaders = 128

/** All values of a header. @param name in small letters */
export function valuesOf(headers: RawHeaders, name: string): string[] {
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name)
}

/** How the body of a request is delimited. */
export type Framing = { length: string } | 'chunked' | undefined

/** @returns `'ambiguous'` when two servers could see different ends */
export function framingOf(headers: RawHeaders): Framing | 'ambiguous' {
  const codings = valuesOf(headers, 'transfer-encoding')
  const [length, ...others] = valuesOf(headers, 'content-length')
  if (codings.length === 0) {
    if (length === undefined) return undefined
    return others.length === 0 && /^\d{1,15}$/.test(length) ? { length } : 'ambiguous'
  }
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
  return isChunked && length === undefined ? 'chunked' : 'ambiguous'
}

/** Whether the body of a response is coded in a way that is lost with its header: only chunks are taken apart here. */
export function hasOtherCoding(headers: RawHeaders): boolean {
  const codings = valuesOf(headers, 'transfer-encoding')
  return codings.length > 1 || codings.some((coding) => coding.trim().toLowerCase() !== 'chunked')
}

/** @param host what the URL of the request says, whatever its own Host does */
export function requestHeaders(
  headers: RawHeaders,
  { host, framing, method }: { host: string; framing: Framing; method: string },
): string[] {
  const kept = ['Host', host, ...without(headers, notOfRequests), 'Connection', 'close']
  if (framing === 'chunked') kept.push('Transfer-Encoding', 'chunked')
  else if (framing !== undefined) kept.push('Content-Length', framing.length)
  // Node would announce a body of chunks where there is none.
  else if (!withoutBody.has(method)) kept.push('Content-Length', '0')
  return kept
}

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

export function responseHeaders(headers: RawHeaders): string[] {
  return without(headers, new Set())
}

function without(headers: RawHeaders, others: ReadonlySet<string>): string[] {
  const named = valuesOf(headers, 'connection').flatMap((value) => value.toLowerCase().split(','))
  const dropped = new Set(named.map((name) => name.trim()))
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2)
    const word = name.toLowerCase()
    if (!hopByHop.has(word) && !others.has(word) && !isDropped(dropped, word)) kept.push(name, value)
  }
  return kept
}

/** `Connection: content-length` must not change where the body of a response ends. */
function isDropped(dropped: ReadonlySet<string>, word: string): boolean {
  return word !== 'content-length' && dropped.has(word)
}
