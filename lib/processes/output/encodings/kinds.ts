// What a file is by its first bytes.

const magic: readonly [kind: string, bytes: string, at?: number][] = [
  ['an ELF file', '7f454c46'],
  ['a PNG image', '89504e470d0a1a0a'],
  ['a JPEG image', 'ffd8ff'],
  ['a GIF image', '47494638'],
  ['a WebP image', '57454250', 8],
  ['a WAV file', '57415645', 8],
  ['a PDF file', '255044462d'],
  ['a zip archive', '504b0304'],
  ['gzip data', '1f8b'],
  ['bzip2 data', '425a68'],
  ['xz data', 'fd377a585a00'],
  ['Zstandard data', '28b52ffd'],
  ['a 7-Zip archive', '377abcaf271c'],
  ['a tar archive', '7573746172', 257],
  ['an SQLite database', '53514c69746520666f726d6174203300'],
  ['a WebAssembly module', '0061736d'],
  ['a Java class', 'cafebabe'],
  ['a Mach-O file', 'cffaedfe'],
  ['a Windows program', '4d5a'],
  ['an MP4 file', '66747970', 4],
  ['an MP3 file', '494433'],
  ['an Ogg file', '4f676753'],
  ['a FLAC file', '664c6143'],
  ['a WOFF font', '774f4632'],
  ['an object archive', '213c617263683e0a'],
  ['a git pack', '5041434b'],
]

export function kindOf(bytes: Buffer): string | undefined {
  const fits = (hex: string, at: number) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex
  return magic.find(([, hex, at = 0]) => fits(hex, at))?.[0]
}
