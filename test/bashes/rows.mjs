// The bashes that are to be had as packages: of each version the release of Debian that has it.
export const rows = [
  { version: '5.1', release: 'bullseye' },
  { version: '5.2', release: 'bookworm' },
  { version: '5.3', release: 'forky' },
]
