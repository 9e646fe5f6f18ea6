// Whether root's commands could open device nodes where they can write.
import { listMounts, mountsIn, requireNoDevices } from '../../../lib/guard/sandbox/device-nodes.js'

const mountInfo = `22 1 254:0 / / rw,relatime - ext4 /dev/root rw
23 22 0:21 / /srv rw,nodev,nosuid - tmpfs tmpfs rw
24 23 0:22 / /srv/with\\040blank rw,relatime shared:1 - ext4 /dev/vda rw
25 22 0:23 / /srv2 rw,nodev - tmpfs tmpfs rw
26 22 0:24 / /home rw,nodev - tmpfs tmpfs rw
27 22 0:25 / /home rw - tmpfs tmpfs rw
`

const pointsIn = (root: string) => mountsIn(root, listMounts(mountInfo)).map(({ point }) => point)

describe('the mounts of a directory', () => {
  test.each([
    ['/opt/project', ['/']],
    ['/srv', ['/srv', '/srv/with blank']],
    ['/srv/project', ['/srv']],
    ['/srv/with blank/project', ['/srv/with blank']],
    ['/srv2/project', ['/srv2']],
  ])('%s: %j', (root, points) => {
    expect(pointsIn(root)).toEqual(points)
  })

  test('of two at the same place the later one counts', () => {
    expect(mountsIn('/home/me', listMounts(mountInfo))).toEqual([{ point: '/home', options: ['rw'] }])
  })
})

describe('a call that requires the protection of devices', () => {
  const asUser = (uid: number, body: () => void) => {
    const spy = jest.spyOn(process as { geteuid(): number }, 'geteuid').mockReturnValue(uid)
    try {
      body()
    } finally {
      spy.mockRestore()
    }
  }

  const requireIn = (roots: string[]) => requireNoDevices(roots, () => mountInfo)

  test('is refused to root where nodes can be opened', () => {
    asUser(0, () => {
      expect(() => requireIn(['/srv2/project', '/opt/project'])).toThrow(
        expect.objectContaining({
          code: 'ERR_SANDBOX_UNAVAILABLE',
          message:
            'this call requires what the kernel does not have: devices (root can open device nodes in /opt/project: / is mounted without nodev)',
        }),
      )
    })
  })

  test('is refused for a mount below the directory', () => {
    asUser(0, () => {
      expect(() => requireIn(['/srv'])).toThrow('/srv/with blank is mounted without nodev')
    })
  })

  test('is not refused where they cannot', () => {
    asUser(0, () => {
      expect(() => requireIn(['/srv2/project', '/srv/project'])).not.toThrow()
    })
  })

  test('is not refused to other users, who can make none', () => {
    asUser(1000, () => {
      expect(() => requireIn(['/opt/project'])).not.toThrow()
    })
  })
})
