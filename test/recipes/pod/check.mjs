// The manifest of docs/pod.md: the compiler compares it with the types of the Kubernetes API, and what it names with serve.js.
import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { blocksOf } from '../blocks.mjs'

const { parseAllDocuments } = createRequire(join(process.cwd(), 'pod.js'))('yaml')
const [manifest] = blocksOf('pod', 'yaml')
// As kubectl reads it: 0440 is octal.
const objects = parseAllDocuments(manifest, { version: '1.1' }).map((document) => {
  assert.deepEqual(document.errors, [])
  return document.toJSON()
})

const typed = objects.map((object, index) => {
  const text = JSON.stringify(object)
  return `export const object${index}: ${object.kind} = ${text}`
})
const types = `import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'`
writeFileSync('manifest.mts', [types, ...typed].join('\n'))
const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
const options = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
]
execFileSync(process.execPath, [tsc, ...options, 'manifest.mts'], { stdio: 'inherit' })

const [claim, { metadata, spec }] = objects
const [container] = spec.containers
const [server] = blocksOf('pod', 'js')
for (const { mountPath } of container.volumeMounts) {
  assert(mountPath === '/tmp' || server.includes(`${mountPath}/`), `serve.js does not know ${mountPath}`)
}
assert.equal(spec.volumes[0].persistentVolumeClaim.claimName, claim.metadata.name)
assert.equal(spec.volumes[1].secret.defaultMode, 0o440)
assert(server.includes(`listen(${container.ports[0].containerPort})`))
assert(server.includes('process.env.CONVERSATION') && metadata.name.length > 0)
const grace = Number(/setTimeout\(stopAll, (\d+)_000\)/.exec(server)?.[1])
assert(grace < spec.terminationGracePeriodSeconds)
