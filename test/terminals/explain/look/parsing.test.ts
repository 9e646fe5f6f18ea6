// What the kernel writes into /proc, and what is read from it.
import { parseLock } from '../../../../lib/terminals/explain/look/locks.js'
import { parseStat } from '../../../../lib/terminals/explain/look/processes.js'
import { address, parseInternet, parseUnix } from '../../../../lib/terminals/explain/look/sockets.js'
import { asInt, parseSystemCall } from '../../../../lib/terminals/explain/look/system-calls.js'

describe('a stat', () => {
  const stat = (name: string) =>
    `4711 (${name}) S 4700 4711 4711 0 -1 4194304 95 0 0 0 7 3 2 1 20 0 1 0 4602 2957312 367 18446744073709551615 1 1 0 0 0 0 0 0 65536 1 0 0 17 1 0 0 0`

  test.each(['sleep', 'a b', ') Z 1 (', '((', ')', 'a\nb) R 1 2', ''])('of a process named %j', (name) => {
    expect(parseStat(stat(name))).toEqual({
      name,
      state: 'S',
      parent: 4700,
      cpuTicks: 10,
      childTicks: 3,
      startTime: 4602,
      processor: 1,
    })
  })

  test.each(['', '4711', '4711 ) S (', '4711 (sleep'])('%j is none', (text) => {
    expect(parseStat(text)).toBeUndefined()
  })
})

describe('a system call', () => {
  const line = (number: number, ...args: string[]) =>
    `${number} ${[...args, ...Array(6).fill('0x0')].slice(0, 6).join(' ')} 0x7ffca251aea8 0x7ff48bca2bd3\n`

  test('has a name on each architecture', () => {
    expect(parseSystemCall(line(0, '0x3'), 'x64')).toMatchObject({ name: 'read' })
    expect(parseSystemCall(line(63, '0x3'), 'arm64')).toMatchObject({ name: 'read' })
    expect(parseSystemCall(line(0, '0x3'), 'riscv64')).toMatchObject({ name: undefined })
  })

  test('keeps every bit of its arguments', () => {
    const call = parseSystemCall(line(7, '0x7fffffffffffffff', '0x1', '0xffffffffffffffff'), 'x64')

    expect(call?.args.slice(0, 2)).toEqual([0x7fff_ffff_ffff_ffffn, 1n])
    expect(asInt(call?.args[2])).toBe(-1)
    expect(asInt(0xffff_ffffn)).toBe(-1)
    expect(asInt(0x1_0000_0005n)).toBe(5)
  })

  test('of a 32-bit program is none: its numbers are others', () => {
    expect(parseSystemCall('0 0x3 0x0 0x0 0x0 0x0 0x0 0xffc0aea8 0xf7ca2bd3\n', 'x64')).toBeUndefined()
  })

  test.each(['running', '-1 0x7ffe2a 0x0', '', 'x 1 2 3 4 5 6 7', '0 1 2 3 4 5 6 0x7ffca251aea8'])(
    '%j is none',
    (text) => {
      expect(parseSystemCall(text, 'x64')).toBeUndefined()
    },
  )
})

describe('a lock', () => {
  test('is held, or waited for', () => {
    expect(parseLock('1: FLOCK  ADVISORY  WRITE 31243 fe:00:2853411 0 EOF')).toEqual({
      id: '1',
      waits: false,
      pid: 31243,
      file: 'fe:00:2853411',
    })
    expect(parseLock('1: -> POSIX  ADVISORY  READ 31246 fe:00:2853411 10 20')).toMatchObject({
      waits: true,
      pid: 31246,
    })
    expect(parseLock('2: -> -> FLOCK  ADVISORY  WRITE 5 08:02:1 0 EOF')).toMatchObject({
      waits: true,
      pid: 5,
    })
    expect(parseLock('3: OFDLCK ADVISORY  WRITE -1 00:1a:7 0 EOF')).toMatchObject({ waits: false, pid: -1 })
    expect(parseLock('4: POSIX  *NOINODE* WRITE 12 <none>:0 0 EOF')).toBeUndefined()
    expect(parseLock('')).toBeUndefined()
  })
})

describe('a socket', () => {
  const tcp = (local: string, remote: string, state: string, queue = '00000000', retries = '00000000') =>
    `   0: ${local} ${remote} ${state} ${queue}:00000000 01:0000002B ${retries}     0        0 1598 2 0000 100 0`

  test('of TCP that is connected, and has not been answered', () => {
    const line = tcp('0100007F:A000', '0A00000A:01BB', '01', '0000000C', '00000002')

    expect(parseInternet(line, false)).toEqual([
      1598,
      { kind: 'connected', place: '10.0.0.10:443', retries: 2, unsent: 12 },
    ])
  })

  test('of TCP that is being connected, or listens', () => {
    expect(parseInternet(tcp('0100007F:A000', '0A00000A:01BB', '02'), false)?.[1]).toMatchObject({
      kind: 'connecting',
    })
    expect(parseInternet(tcp('00000000:07E8', '00000000:0000', '0A'), false)?.[1]).toMatchObject({
      kind: 'listening',
      place: '0.0.0.0:2024',
    })
  })

  test('of UDP with and without a peer', () => {
    expect(parseInternet(tcp('0100007F:A000', '0A00000A:0035', '01'), true)?.[1]).toMatchObject({
      kind: 'datagram',
      place: '10.0.0.10:53',
    })
    expect(parseInternet(tcp('0100007F:A000', '00000000:0000', '07'), true)?.[1]).toMatchObject({ place: '' })
  })

  test('of IPv6, and of IPv4 within it', () => {
    expect(address('00000000000000000000000001000000:1F90')).toBe('[::1]:8080')
    expect(address('B80D0120000000000000000001000000:01BB')).toBe('[2001:db8::1]:443')
    expect(address('0000000000000000FFFF00000100007F:0050')).toBe('127.0.0.1:80')
    expect(address('nonsense')).toBe('nonsense')
  })

  test('of a path that listens, and one without', () => {
    expect(parseUnix('0000000096ba0a52: 00000002 00000000 00010000 0001 01 6896 /run/a b')).toEqual([
      6896,
      { kind: 'listening', place: '/run/a b', retries: 0, unsent: 0 },
    ])
    expect(parseUnix('0000000096ba0a52: 00000003 00000000 00000000 0001 03    42')?.[1]).toMatchObject({
      kind: 'unix',
      place: '',
    })
  })

  test.each(['', 'sl  local_address rem_address', '::', '0: x y z'])('%j is none', (line) => {
    expect(parseInternet(line, false)).toBeUndefined()
    expect(parseUnix(line)).toBeUndefined()
  })
})
