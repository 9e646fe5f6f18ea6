// Which values of variables the rules take for secrets, and which they must leave alone.

import { findSecretValueRule } from '../../lib/environment/secrets.js'

// Put together here, so that no scanner takes this file for a leak.
const mixed = (length: number) => 'aB3dE5gH7jK9'.repeat(20).slice(0, length)
const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length)

const secretValues: Record<string, string[]> = {
  'url-password': [
    'http://user:pass@proxy.example:8080',
    'https://oauth2:x@gitlab.example/a.git',
    'redis://:pass@localhost:6379/0',
    'postgres://u:p%40ss@db/app?sslmode=require',
    'mongodb+srv://u:p@cluster.example',
    'amqp://guest:p#?x@mq',
    'ALL https://one.example https://u:p@two.example',
  ],
  'private-key': [
    '-----BEGIN PRIVATE KEY-----\nMIIE',
    '-----BEGIN RSA PRIVATE KEY-----\\nMIIE',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n"}',
    Buffer.from('-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7example').toString('base64'),
  ],
  jwt: [`eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`, `Bearer eyJ${mixed(20)}.eyJ${mixed(40)}.`],
  'aws-key': [`AKIA${'A1B2'.repeat(4)}`, `key=ASIA${'Z9Y8'.repeat(4)};`],
  'google-key': [`AIza${mixed(35)}`, `ya29.${mixed(60)}`, `GOCSPX-${mixed(28)}`],
  'azure-key': [
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${mixed(86)}==`,
    `Endpoint=sb://x.example/;SharedAccessKey=${mixed(43)}=`,
    `https://a.blob.example/c?sv=2022&sig=${mixed(43)}%3D`,
  ],
  'forge-token': [
    `ghp_${mixed(36)}`,
    `ghs_${mixed(36)}`,
    `github_pat_${mixed(22)}_${mixed(59)}`,
    `glpat-${mixed(20)}`,
    `glrt-${mixed(20)}`,
  ],
  'registry-token': [
    `npm_${mixed(36)}`,
    `//registry.example/:_authToken=npm_${mixed(36)}`,
    `pypi-${mixed(80)}`,
    `dckr_pat_${mixed(27)}`,
    `hf_${mixed(34)}`,
  ],
  'model-key': [
    `sk-${mixed(48)}`,
    `sk-proj-${mixed(48)}`,
    `sk-ant-api03-${mixed(48)}`,
    `sk-or-v1-${hex(64)}`,
    `gsk_${mixed(52)}`,
    `xai-${mixed(80)}`,
  ],
  'service-key': [
    `sk_live_${mixed(24)}`,
    `rk_test_${mixed(24)}`,
    `whsec_${mixed(32)}`,
    `SG.${mixed(22)}.${mixed(43)}`,
    `shpat_${hex(32)}`,
    `dop_v1_${hex(64)}`,
    `hvs.${mixed(40)}`,
    `123456789:AA${mixed(33)}`,
  ],
  'chat-token': [
    `xoxb-${hex(11)}-${mixed(24)}`,
    `xoxe.xoxp-1-${mixed(40)}`,
    `xapp-1-${mixed(40)}`,
    'https://hooks.slack.com/services/T0/B0/x',
    'https://discord.com/api/webhooks/1/x',
  ],
  'authorization-header': [
    'Authorization: Basic dXNlcjpwYXNz',
    'Authorization=Basic%20dXNlcjpwYXNz',
    "'http.extraheader'='AUTHORIZATION: bearer abc'",
    '{"Authorization":"token abc"}',
  ],
  'password-setting': [
    'Server=db;User Id=sa;Password=x1;',
    'host=db user=app password=x1',
    'jdbc:postgresql://db/app?user=app&password=x1',
    '-Xmx1g -Dhttp.proxyPassword=x1',
    '{"username":"app","password":"x1"}',
  ],
}

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
