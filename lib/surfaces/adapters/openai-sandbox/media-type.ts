// What kind of image a file is, by its first bytes.

const signatures: readonly (readonly [
  type: string,
  ...parts: (readonly [offset: number, bytes: string])[],
])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/bmp', [0, 'BM']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
]

/** @returns undefined for what is none that the SDK's own sandboxes give */
export function mediaTypeOf(bytes: Uint8Array, path: string): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1')
  const known = signatures.find(([, ...parts]) =>
    parts.every(([offset, text]) => start.startsWith(text, offset)),
  )
  if (known !== undefined) return known[0]
  const isSvg = /^\s*(?:<\?xml[\s\S]*)?<svg/i.test(start) || /\.svgz?$/i.test(path.trim())
  return isSvg ? 'image/svg+xml' : undefined
}
