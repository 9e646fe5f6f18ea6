// Which prompts ask for a secret, and which only mention one.
import {
  lineAsksSecret,
  screenAsksSecret,
  secretAsked,
} from '../../../lib/terminals/terminal/secret-prompt.js'

test.each([
  '[sudo] password for ada: ',
  "ada@host's password: ",
  '(ada@host) Password: ',
  "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ",
  'Enter PEM pass phrase:',
  'Password:',
  'Password: ****',
  'Enter OTP: ',
  'One-time password: ',
  'Verification code: ',
  'PIN> ',
  'Token (hidden): ',
  '? Paste your authentication token: ',
  '? API key ',
  'Enter your password',
  'Client secret = ',
  'Passwort für ada: ',
  'пароль: ',
  '请输入密码：',
])('%j asks for a secret', (line) => {
  expect(lineAsksSecret(line)).toBe(true)
})

test.each([
  '',
  'Name: ',
  '>>> ',
  'ada@host:~/password$ ',
  'ada@token:/srv> ',
  'Change the password of ada? [y/N] ',
  'Store token (yes/no)? ',
  'Spinning: ',
  'The password was changed.',
  'export PASSWORD_FILE=/run/x; echo ',
  'passwords: 3 found, next? no. ',
  'const token = read(), n',
  `password ${'x'.repeat(300)}:`,
])('%j does not', (line) => {
  expect(lineAsksSecret(line)).toBe(false)
})

const dialog = (text: string, field: string) => [
  '          ┌────────┤ Login ├────────┐',
  '          │                         │',
  `          │ ${text.padEnd(24)}│`,
  '          │                         │',
  `          │ ${field}`,
  '          │   <Ok>       <Cancel>   │',
]

test.each([
  ['empty', '_______________________ │', 13],
  ['with what is typed shown as stars', '****___________________ │', 17],
])('a field of a dialog, %s, asks what stands above it', (_, field, column) => {
  const cursor = { row: 5, column, visible: true }
  expect(screenAsksSecret({ lines: dialog('Enter your password', field), cursor })).toBe(true)
  expect(screenAsksSecret({ lines: dialog('Enter your name', field), cursor })).toBe(false)
})

test('a text that mentions a password above the cursor asks for nothing', () => {
  const lines = ['The password is in the file.', '', '']
  expect(screenAsksSecret({ lines, cursor: { row: 3, column: 1, visible: true } })).toBe(false)
})

test('the kernel is certain, words are not', () => {
  expect(secretAsked({ verdict: 'password' })).toBe('certain')
  expect(secretAsked({ verdict: 'watching', echo: false, cooked: true })).toBe('certain')
  expect(secretAsked({ verdict: 'watching', echo: false, cooked: false })).toBeUndefined()
  expect(secretAsked({ verdict: 'keys', cursorLine: 'Password: ' })).toBe('likely')
  expect(secretAsked({ verdict: 'line', cursorLine: 'Name: ' })).toBeUndefined()
  const cursor = { row: 1, column: 11, visible: true }
  expect(secretAsked({ verdict: 'relay' }, { lines: ['Password: '], cursor })).toBe('likely')
})
