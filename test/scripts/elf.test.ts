// The reader of ELF files that checks the prebuilt binaries, on those that were built here.
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { evaluate } from './evaluate.js'

const elf = `module.readElf((await import('node:fs')).readFileSync(input))`

const readElf = (file: string): unknown => evaluate('prebuilds/elf.mjs', elf, file)

const release = (name: string): string => join(packageRoot, 'build/Release', name)

test('the addon is a shared library with the two entry points of Node-API', () => {
  expect(readElf(release('bashward.node'))).toMatchObject({
    arch: process.arch,
    type: 'shared',
    interpreted: false,
    executableStack: false,
    textRelocations: false,
    nodelete: true,
    needed: expect.arrayContaining([expect.stringMatching(/^libc\./)]),
    searchPaths: [],
    exports: ['napi_register_module_v1', 'node_api_module_get_api_version_v1'],
  })
})

test('the supervisor is a static program', () => {
  expect(readElf(release('bashward-supervisor'))).toMatchObject({
    arch: process.arch,
    type: 'executable',
    interpreted: false,
    executableStack: false,
    needed: [],
    exports: [],
    versions: [],
  })
})

test('versions of the symbols of libraries are read', () => {
  // Without its exports: Node has a hundred thousand.
  const { versions, interpreted } = evaluate(
    'prebuilds/elf.mjs',
    `{ ...${elf}, exports: [] }`,
    process.execPath,
  ) as {
    versions: string[]
    interpreted: boolean
  }

  expect(interpreted).toBe(true)
  if (versions.length > 0) expect(versions).toContainEqual(expect.stringMatching(/^[A-Z]+_[\d.]+$/))
})

test('another file is refused', () => {
  expect(() => readElf(__filename)).toThrow('not a 64-bit little-endian ELF file')
})
