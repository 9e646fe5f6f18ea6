import { choosePackage } from './kernels.mjs'

test('of several kernels of a version, the newest is taken', () => {
  const names = ['6.12.94+deb13', '6.12.117+deb13', '6.12.117+deb12', '6.12'].map(
    (version) => `linux-image-${version}-cloud-amd64`,
  )
  expect(choosePackage(names, '6.12', 'amd64')).toBe('linux-image-6.12.117+deb13-cloud-amd64')
})

test('a version is not the beginning of another', () => {
  const names = ['linux-image-6.12.94+deb13-cloud-amd64', 'linux-image-6.1.0-56-cloud-amd64']
  expect(choosePackage(names, '6.1', 'amd64')).toBe('linux-image-6.1.0-56-cloud-amd64')
})

test('the package of the kernel itself is taken, and not the empty one beside it', () => {
  const names = ['image', 'binary-unsigned', 'binary'].map((kind) => `linux-${kind}-7.3.4+deb13-cloud-amd64`)
  expect(choosePackage(names, '7.3', 'amd64')).toBe('linux-binary-7.3.4+deb13-cloud-amd64')
})

test('kernels of other architectures, debug symbols and headers are not taken', () => {
  const names = [
    'linux-image-6.12.94+deb13-cloud-arm64',
    'linux-image-6.12.94+deb13-cloud-amd64-dbg',
    'linux-headers-6.12.94+deb13-cloud-amd64',
    'linux-image-6.12.94+deb13-amd64',
  ]
  expect(choosePackage(names, '6.12', 'amd64')).toBeUndefined()
})

test('of Ubuntu, the generic kernel is taken', () => {
  const names = ['6.2.0-39-generic', '6.2.0-37-generic', '6.2.0-1018-aws', '6.2.0-1018-lowlatency'].map(
    (version) => `linux-image-${version}`,
  )
  expect(choosePackage(names, '6.2', 'amd64', 'ubuntu')).toBe('linux-image-6.2.0-39-generic')
})
