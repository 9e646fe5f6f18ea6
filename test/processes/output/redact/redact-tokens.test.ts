// Tokens of the proxy in text: stars take their place.
import { redactTokens } from '../../../../lib/processes/output/redact/redact-tokens.js'

test('tokens of the proxy are known by their form', () => {
  const token = '0123456789abcdef'.repeat(3)
  const encoded = Buffer.from(`bashward:${token}`).toString('base64')

  expect(redactTokens(`http://bashward:${token}@127.0.0.1:1 Basic ${encoded}`)).toBe(
    `http://bashward:${'*'.repeat(48)}@127.0.0.1:1 Basic ${encoded.slice(0, 12)}${'*'.repeat(64)}`,
  )
})

test('other numbers are none', () => {
  const text = `sha384 ${'ab'.repeat(48)} bashward:1.2.3`

  expect(redactTokens(text)).toBe(text)
})
