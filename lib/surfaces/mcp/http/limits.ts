// What the HTTP server takes at most, of everybody.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const KiB = 1024
const MiB = 1024 * KiB

export interface HttpLimits {
  /** Milliseconds for the header lines of a request, from the opening of its connection. */
  headersMs: number
  /** Milliseconds for a whole request. */
  requestMs: number
  /** Milliseconds that a connection is kept between two requests. */
  keepAliveMs: number
  /** Milliseconds between two looks at these times. */
  checkMs: number
  headerBytes: number
  bodyBytes: number
  /** Of a token: bodies of requests that are not answered yet. As values they take up to thirty times as much. */
  bodyBytesInAll: number
  connections: number
  /** Connections on which no request has had a token yet. If there are more, the oldest are closed, the second time they are seen. */
  strangers: number
  /** Milliseconds between two looks at them. */
  strangerMs: number
  /** Of a token: streams of notifications, and those that are resumed. */
  streams: number
  /** Of a token: calls that run. */
  calls: number
  /** Of a response: bytes that its client has not taken. Then it is cut. */
  unsentBytes: number
  /** Of a token: the same, all responses together. */
  unsentBytesInAll: number
  /** Milliseconds that a client has to take what is more than that. */
  unsentMs: number
  /** Of a token: sessions of the protocols of 2025. */
  sessions: number
  sessionIdleMs: number
  /** Of a token: conversations of which something is remembered. */
  conversations: number
  conversationIdleMs: number
  /** Milliseconds between two looks for sessions and conversations that nobody uses. */
  sweepMs: number
  /** Of a token: what is kept of streams for clients that come back. */
  eventBytes: number
  /** Milliseconds within which a client has to come back for a call whose stream was cut. */
  resumeMs: number
}

export const httpLimits: HttpLimits = {
  headersMs: 5 * second,
  requestMs: 30 * second,
  keepAliveMs: 30 * second,
  checkMs: second,
  headerBytes: 16 * KiB,
  bodyBytes: MiB,
  bodyBytesInAll: 8 * MiB,
  connections: 512,
  strangers: 32,
  strangerMs: second / 2,
  streams: 8,
  calls: 64,
  unsentBytes: MiB,
  unsentBytesInAll: 8 * MiB,
  unsentMs: second,
  sessions: 64,
  sessionIdleMs: hour,
  conversations: 256,
  conversationIdleMs: 24 * hour,
  sweepMs: minute,
  eventBytes: 4 * MiB,
  resumeMs: 10 * second,
}
