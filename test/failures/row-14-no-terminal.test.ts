// Row 14: there is no terminal and no input, and a command that wants one finds out at once.
import { run } from '../../lib/index.js'

describe('row 14: no terminal', () => {
  test('reading ends at once, /dev/tty is ENXIO, and ps shows no terminal', async () => {
    const command = 'read x;echo $?;echo y>/dev/tty;ps -o tty= -p $$'
    const result = await run(command, { cwd: '/', timeout: 30_000 })

    const lines = result.output.trimEnd().split('\n')
    expect(result.status).toBe('completed')
    expect(lines[0]).toBe('1')
    expect(lines[1]).toMatch(/\/dev\/tty: No such device or address$/)
    expect(lines[2]?.trim()).toBe('?')
    expect(lines).toHaveLength(3)
  })

  test('standard input is /dev/null, and no stream is a terminal', async () => {
    const command = 'readlink /proc/$$/fd/0; for n in 0 1 2; do test -t $n; echo $?; done'
    const result = await run(command, { cwd: '/' })

    expect(result.output).toBe('/dev/null\n1\n1\n1\n')
  })

  test('bash leads its own session and process group', async () => {
    const result = await run('ps -o pid=,pgid=,sid= -p $$', { cwd: '/' })

    const [pid, pgid, sid] = result.output.trim().split(/\s+/).map(Number)
    expect(pid).toBeGreaterThan(1)
    expect(pgid).toBe(pid)
    expect(sid).toBe(pid)
  })
})
