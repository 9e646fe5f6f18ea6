// Tokens of the proxy, by their form: whose they are is not known of a job. As many stars take their place.

const tokens = /(?<=\bbashward:)[0-9a-f]{48}\b|(?<=\bYmFzaHdhcmQ6)[A-Za-z0-9+/]{64}/g

export function redactTokens(text: string): string {
  return text.replace(tokens, (token) => '*'.repeat(token.length))
}
