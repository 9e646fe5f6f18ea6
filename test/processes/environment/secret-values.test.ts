// Which values of variables the rules take for secrets, and which they must leave alone.

import { findSecretValueRule } from '../../../lib/processes/environment/secrets.js'
import { hex, mixed, secretValues } from './secret-samples.js'

const plainValues = [
  '',
  '1',
  'true',
  'en_US.UTF-8',
  '/usr/local/sbin:/usr/local/bin:/usr/bin',
  'unix:path=/run/user/1000/bus,guid=0123456789abcdef',
  'rs=0:di=01;34:ln=01;36:*.tar=01;31:',
  'http://proxy.example:3128',
  'http://[::1]:8080/@scope/pkg',
  'http://proxy.example:3128?mail=a@b.example',
  'https://registry.example/@scope/pkg',
  'https://registry.example:4873/@scope/pkg',
  'ssh://git@host.example:22/repo.git',
  'git@github.com:owner/repo.git',
  'oci://registry.example:5000/image@sha256:0123',
  'https://proxy.golang.org,direct',
  'postgres://localhost:5432/app',
  'tcp://192.0.2.1:2376',
  'npm/10.8.2 node/v20.0.0 linux x64 workspaces/false',
  '--max-old-space-size=4096 --require /opt/hook.js',
  '-Xmx2g -Djavax.net.ssl.trustStorePassword=changeit',
  'ssh -i ~/.ssh/id_ed25519 -o BatchMode=yes',
  '-----BEGIN CERTIFICATE-----\nMIID',
  '-----BEGIN PUBLIC KEY-----\nMIIB',
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${mixed(80)}`).toString('base64'),
  '/home/me/task-runner-with-a-long-name-2024',
  '/opt/sk-learn-models-2024-with-a-long-name',
  'sk-SK',
  '/nix/store/0123-glibc-locales-2.38-44-and-more/lib/locale',
  hex(40),
  '123e4567-e89b-12d3-a456-426614174000',
  '{"name":"app","private":true}',
  'pwd=$PWD',
]

describe('rules by value', () => {
  for (const [rule, values] of Object.entries(secretValues)) {
    test.each(values)(`${rule} finds %j`, (value) => {
      expect(findSecretValueRule(value)?.name).toBe(rule)
    })
  }

  test.each(plainValues)('%j is left alone', (value) => {
    expect(findSecretValueRule(value)?.name).toBeUndefined()
  })

  test.each(['a', '://', 'a://b:', 'eyJa.', '-D', 'authorization: ', '"password" ', 'sk-'])(
    'a value of 100 KiB that repeats %j takes no more than linear time',
    (piece) => {
      const started = performance.now()
      findSecretValueRule(piece.repeat(100_000 / piece.length))
      expect(performance.now() - started).toBeLessThan(2_000)
    },
  )
})
