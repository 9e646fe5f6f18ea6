// Which values are looked for in output: no words, paths, counts, nor addresses without a password.
import { isDistinctive, isDistinctiveLine } from '../../../lib/processes/environment/distinctive.js'

test.each([
  'postgres',
  'password',
  'changeme',
  'rabbitmq',
  'development',
  'my-app-production',
  'us-east-1',
  'admin1234',
  'mysecretpassword',
  'short',
  '12345678',
  '2024-05-01',
  '--------------------',
  'xxxxxxxxxxxxxxxxxxxx',
  '/home/user/.config/gcloud/key.json',
  '~/.ssh/id_ed25519',
  './secrets/token',
  '/var/run/secrets/kubernetes.io/serviceaccount/token',
  'http://localhost:8080/path',
  'https://example.com/api?x=1',
  'postgres://db.example.com:5432/app',
])('%s is left in', (value) => {
  expect(isDistinctive(value)).toBe(false)
})

test.each([
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  '/K7MDENGwJalrXUt1nFEMI/bPxRfiCYEXAMPLEKEY',
  'P@ssw0rd',
  'xkqzjwvp',
  'qzxvbnwktrplmjhg',
  '8f14e45fceea167a',
  'correct horse battery staple',
  'postgres://user:hunter22@db/app',
  'https://hooks.slack.com/services/T000/B000/aBcDeFgHiJkL',
  'https://0123456789abcdef0123456789abcdef@sentry.io/1',
  '1234567890123456',
])('%s is looked for', (value) => {
  expect(isDistinctive(value)).toBe(true)
})

test('of longer values lines of words say nothing', () => {
  expect(isDistinctiveLine('-----BEGIN PRIVATE KEY-----')).toBe(false)
  expect(isDistinctiveLine('"type": "service_account",')).toBe(false)
  expect(isDistinctiveLine('MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA')).toBe(true)
})
