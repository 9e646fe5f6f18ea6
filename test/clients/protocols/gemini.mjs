// Gemini's generateContent: what a client asks, and how it is answered.

/** @type {import('./protocols.mjs').Protocol} */
export const gemini = {
  matches: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
  isStreamed: ({ path }) => path.endsWith(':streamGenerateContent'),
  toolsOf: ({ tools = [] }) =>
    tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, description }) => ({ name, description })),
  resultsOf: ({ contents = [] }) =>
    contents
      .flatMap(({ parts = [] }) => parts)
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse: { id, response } }) => ({
        id,
        text:
          typeof response.error === 'string' ? response.error : (response.output ?? JSON.stringify(response)),
        isError: response.error !== undefined,
      })),
  answer: ({ text, call }) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [call ? { functionCall: { id: call.id, name: call.name, args: call.input } } : { text }],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  events: (data) => [{ data }],
}
