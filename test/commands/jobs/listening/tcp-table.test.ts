// What /proc/net/tcp and tcp6 say. Little-endian machines: the only ones there are addons for.
import { readAddress, Table } from '../../../../lib/commands/jobs/listening/tcp-table.js'

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`

const entries = (...pieces: string[]) => {
  const table = new Table()
  for (const piece of pieces) if (!table.add(piece)) break
  return table.entries
}

describe('an address', () => {
  test.each([
    ['0100007F', '127.0.0.1'],
    ['00000000', '0.0.0.0'],
    ['0A01A8C0', '192.168.1.10'],
    ['00000000000000000000000001000000', '::1'],
    ['00000000000000000000000000000000', '::'],
    ['B80D0120000000000000000001000000', '2001:db8::1'],
    ['0000000000000000FFFF00000100007F', '127.0.0.1'],
  ])('%s is %s', (hex, address) => {
    expect(readAddress(hex)).toBe(address)
  })
})

describe('a table', () => {
  test('gives address, port and socket of what listens', () => {
    expect(entries(header + row('0100007F:1435', '0A', 12_345))).toEqual([
      { address: '127.0.0.1', port: 5173, inode: '12345' },
    ])
  })

  test('is read no further than its first connection: what listens comes before them', () => {
    const rows = [row('0100007F:0050', '0A', 1), row('0100007F:0051', '01', 2), row('0100007F:0052', '0A', 3)]

    expect(entries(header + rows.join('')).map(({ port }) => port)).toEqual([80])
    expect(new Table().add(header + rows.join(''))).toBe(false)
  })

  test('may come in pieces of any size', () => {
    const text = header + row('0100007F:0050', '0A', 1) + row('0100007F:0051', '0A', 22)
    for (let size = 1; size <= text.length; size += 7) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

      expect(entries(...pieces).map(({ port, inode }) => [port, inode])).toEqual([
        [80, '1'],
        [81, '22'],
      ])
    }
  })

  test('that says something else gives nothing', () => {
    expect(entries('')).toEqual([])
    expect(entries('no table\n\n')).toEqual([])
    expect(entries(`${header}   0: 0A\n`)).toEqual([])
  })
})
