// The protocols by which clients speak to their model.
import { anthropic } from './anthropic.mjs'
import { chat } from './chat.mjs'
import { gemini } from './gemini.mjs'
import { responses } from './responses.mjs'

/**
 * @typedef {object} Answer what the model says: a text, or one call of a tool
 * @property {string} [text]
 * @property {{ id: string, name: string, namespace?: string, input: object, program?: string }} [call] `program` is for a
 *   tool that runs programs, which call the others
 */

/**
 * @typedef {object} Request
 * @property {string} path of the URL, without its query
 * @property {any} body
 */

/**
 * @typedef {object} Protocol
 * @property {(path: string) => boolean} matches whether a request to this path is an inference
 * @property {(request: Request) => boolean} isStreamed
 * @property {(body: any) => { name: string, namespace?: string, description?: string, runsPrograms?: boolean }[]} toolsOf
 * @property {(body: any) => { id: string, text: string, isError: boolean | undefined }[]} resultsOf what the tools have answered,
 *   oldest first; `isError` is undefined where the protocol cannot tell
 * @property {(answer: Answer, body: any) => any} answer a whole answer
 * @property {(whole: any) => { event?: string, data: any }[]} events the same as server-sent events
 */

/** @type {Record<string, Protocol>} */
export const protocols = { anthropic, responses, chat, gemini }
