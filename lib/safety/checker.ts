// What a check needs beyond its options: the parsers, and all that reads what they give.

export { examine } from './examine.js'
export { runAsync, runSync } from './parsing.js'
export { programCalls } from './program-calls.js'
