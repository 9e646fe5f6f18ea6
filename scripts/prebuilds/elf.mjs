// Reads from an ELF file (64 bit, little endian) what the check of the binaries needs: from the segments and the
// dynamic section, which a stripped file still has. Our own reader, because binutils is not everywhere and its
// versions print differently.

const MACHINES = new Map([
  [62, 'x64'],
  [183, 'arm64'],
])
const TYPES = new Map([
  [2, 'executable'],
  [3, 'shared'],
])
const PT_LOAD = 1
const PT_DYNAMIC = 2
const PT_INTERP = 3
const PT_GNU_STACK = 0x6474e551
const PF_X = 1
const DT = {
  needed: 1,
  hash: 4,
  gnuHash: 0x6ffffef5,
  strtab: 5,
  symtab: 6,
  rpath: 15,
  textrel: 22,
  runpath: 29,
  flags1: 0x6ffffffb,
  verneed: 0x6ffffffe,
  verneednum: 0x6fffffff,
}
const DF_1_NODELETE = 8
const SHN_UNDEF = 0
const STB_LOCAL = 0

/**
 * @typedef {object} Elf
 * @property {string | undefined} arch `x64` or `arm64`
 * @property {string | undefined} type `executable` (with fixed addresses) or `shared`
 * @property {boolean} interpreted whether it needs a dynamic loader
 * @property {boolean} executableStack
 * @property {boolean} textRelocations
 * @property {boolean} nodelete whether dlclose leaves it in memory
 * @property {string[]} needed names of shared libraries
 * @property {string[]} searchPaths RPATH and RUNPATH
 * @property {string[]} exports names of the symbols that others can see
 * @property {string[]} versions of other libraries' symbols: `GLIBC_2.17`
 */

/** @param {Buffer} file @returns {Elf} */
export function readElf(file) {
  if (file.toString('latin1', 0, 6) !== '\x7fELF\x02\x01')
    throw new Error('not a 64-bit little-endian ELF file')
  const segments = readSegments(file)
  const dynamic = readDynamic(file, segments)
  const stack = segments.find(({ type }) => type === PT_GNU_STACK)
  const string = (offset) => readString(file, dynamic.offset(DT.strtab) + offset)
  return {
    arch: MACHINES.get(file.readUInt16LE(18)),
    type: TYPES.get(file.readUInt16LE(16)),
    interpreted: segments.some(({ type }) => type === PT_INTERP),
    executableStack: stack === undefined || (stack.flags & PF_X) !== 0,
    textRelocations: dynamic.values(DT.textrel).length > 0,
    nodelete: dynamic.values(DT.flags1).some((flags) => (flags & DF_1_NODELETE) !== 0),
    needed: dynamic.values(DT.needed).map(string),
    searchPaths: [...dynamic.values(DT.rpath), ...dynamic.values(DT.runpath)].map(string),
    exports: readExports(file, dynamic, string),
    versions: readVersions(file, dynamic, string),
  }
}

const readString = (file, start) => file.toString('latin1', start, file.indexOf(0, start))

function readSegments(file) {
  const [table, size, count] = [number(file, 32), file.readUInt16LE(54), file.readUInt16LE(56)]
  return Array.from({ length: count }, (_, index) => {
    const at = table + index * size
    return {
      type: file.readUInt32LE(at),
      flags: file.readUInt32LE(at + 4),
      offset: number(file, at + 8),
      address: number(file, at + 16),
      size: number(file, at + 32),
    }
  })
}

/** The dynamic section: the values of a tag, and the offset in the file of the address that a tag has. */
function readDynamic(file, segments) {
  const entries = []
  const section = segments.find(({ type }) => type === PT_DYNAMIC)
  for (let at = section?.offset ?? 0; at < (section ? section.offset + section.size : 0); at += 16) {
    entries.push([number(file, at), number(file, at + 8)])
  }
  const values = (wanted) => entries.filter(([tag]) => tag === wanted).map(([, value]) => value)
  const offset = (tag) => {
    const [address] = values(tag)
    const within = ({ type, ...segment }) =>
      type === PT_LOAD && address >= segment.address && address < segment.address + segment.size
    const segment = segments.find(within)
    return segment === undefined ? undefined : address - segment.address + segment.offset
  }
  return { values, offset }
}

function readExports(file, dynamic, string) {
  const symbols = dynamic.offset(DT.symtab)
  if (symbols === undefined) return []
  const exports = []
  const count = countSymbols(file, dynamic)
  for (let index = 1; index < count; ++index) {
    const at = symbols + index * 24
    const local = file[at + 4] >> 4 === STB_LOCAL
    if (!local && file.readUInt16LE(at + 6) !== SHN_UNDEF) exports.push(string(file.readUInt32LE(at)))
  }
  return exports.sort()
}

/** Without section headers, only the hash tables tell how many symbols there are. */
function countSymbols(file, dynamic) {
  const [hash, gnuHash] = [dynamic.offset(DT.hash), dynamic.offset(DT.gnuHash)]
  if (hash !== undefined) return file.readUInt32LE(hash + 4)
  if (gnuHash === undefined) return 0
  const [bucketCount, first, filterWords] = [0, 4, 8].map((at) => file.readUInt32LE(gnuHash + at))
  const buckets = gnuHash + 16 + filterWords * 8
  const chains = buckets + bucketCount * 4
  const starts = Array.from({ length: bucketCount }, (_, index) => file.readUInt32LE(buckets + index * 4))
  let last = starts.reduce((most, start) => Math.max(most, start), first)
  // The lowest bit marks the end of a bucket's chain; without any symbol there is none.
  if (last > first || starts.includes(first)) while (!(file[chains + (last - first) * 4] & 1)) ++last
  return last + 1
}

function readVersions(file, dynamic, string) {
  const versions = new Set()
  let at = dynamic.offset(DT.verneed)
  for (let left = dynamic.values(DT.verneednum)[0] ?? 0; left > 0; --left) {
    let entry = at + file.readUInt32LE(at + 8)
    for (let count = file.readUInt16LE(at + 2); count > 0; --count) {
      versions.add(string(file.readUInt32LE(entry + 8)))
      entry += file.readUInt32LE(entry + 12)
    }
    at += file.readUInt32LE(at + 12)
  }
  return [...versions].sort()
}

/** Offsets and sizes are far below 2^53. */
const number = (file, at) => Number(file.readBigUInt64LE(at))
