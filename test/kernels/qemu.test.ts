import { kernelParameters, qemuCommand } from './qemu.mjs'
import { rows } from './rows.mjs'

const rowNamed = (name: string) => {
  const row = rows.find((entry) => entry.name === name)
  if (row === undefined) throw new Error(`no row ${name}`)
  return row
}

const files = { kernel: 'K', image: 'I', imageBytes: 1, kvm: false, console: 'C', report: 'R' }

test('a guest learns its user and its port from the command line of its kernel', () => {
  const words = kernelParameters({ row: rowNamed('6.12'), uid: 1000, controls: true }).split(' ')
  expect(words).toEqual(
    expect.arrayContaining(['bashward.uid=1000', 'bashward.report=ttyS1', 'bashward.controls=1']),
  )
})

test('a guest learns which tables to try', () => {
  const guest = { row: rowNamed('6.12'), uid: 0, controls: false }
  const words = (more: { tables?: ('files' | 'sockets')[] }) =>
    kernelParameters({ ...guest, ...more }).split(' ')
  expect(words({ tables: ['files', 'sockets'] })).toContain('bashward.tables=files,sockets')
  expect(words({})).toContain('bashward.tables=restricted,files,sockets')
})

test('Landlock is left out of the security modules where the row says so', () => {
  const parameters = kernelParameters({ row: rowNamed('6.12-disabled'), uid: 0, controls: false })
  expect(parameters).toMatch(/\blsm=(?!.*landlock)/)
})

test.each([
  ['6.12', 'qemu-system-x86_64'],
  ['arm64-6.12', 'qemu-system-aarch64'],
])('the guest of row %s is run by %s, with no network', (name, program) => {
  const words = qemuCommand({ row: rowNamed(name), uid: 0, controls: false }, files)
  expect(words).toContain(program)
  expect(words.join(' ')).toContain('-nic none')
})

test('the memory holds the image three times over', () => {
  const row = rowNamed('6.12')
  const memory = (imageBytes: number) => {
    const words = qemuCommand({ row, uid: 0, controls: false }, { ...files, imageBytes })
    return Number(words[words.indexOf('-m') + 1])
  }
  expect(memory(1)).toBe(1024)
  expect(memory(500 * 1024 * 1024)).toBeGreaterThan(1500)
})
