// A registry of npm, over https, that has published packages as they are.
import { createHash } from 'node:crypto'
import { serveHttps } from './local-servers.js'
import type { Manifest, Tarball } from './tarballs.js'

/**
 * @param directory for its certificate
 * @param announced packages of which it has no tarball: those for other platforms, which nobody asks for
 * @returns undefined without openssl(1)
 */
export const serveTarballs = async (
  directory: string,
  tarballs: readonly Tarball[],
  announced: readonly Manifest[],
): Promise<{ place: string; certificate: string } | undefined> => {
  const byPath = new Map<string, Buffer>()
  const byName = new Map<string, (origin: string) => object>()
  const add = (manifest: Manifest, integrity: string | undefined): void => {
    const { name, version } = manifest
    byName.set(name, (origin) => ({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { integrity, tarball: `${origin}/${name}/-/file.tgz` } } },
    }))
  }
  for (const manifest of announced) add(manifest, manifest.integrity)
  for (const { manifest, bytes } of tarballs) {
    add(manifest, `sha512-${createHash('sha512').update(bytes).digest('base64')}`)
    byPath.set(`/${manifest.name}/-/file.tgz`, bytes)
  }
  return await serveHttps(directory, ({ url = '', headers }, answer) => {
    const path = decodeURIComponent(url)
    const bytes = byPath.get(path)
    if (bytes !== undefined) return void answer.end(bytes)
    const packument = byName.get(path.slice(1))
    if (packument === undefined) return void answer.writeHead(404).end('{}')
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify(packument(`https://${headers.host}`)))
  })
}
