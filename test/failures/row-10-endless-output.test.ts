// Row 10: a background command that prints without end does not fill the disk.
import { statSync } from 'node:fs'
import { createBashTool } from '../../lib/index.js'
import { endJobs, tempStore, waitForStatusLine } from '../support/jobs.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const cap = 1024 * 1024

describe('row 10: `yes` in the background', () => {
  test('its file never grows beyond the cap, and says what is missing', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs, maxJobOutputBytes: cap, timeouts: { background: 2000 } })
    const { jobId = '', outputFile = '' } = await tool.execute(
      { command: 'yes', mode: 'background' },
      { workingDir: '/' },
    )
    let largest = 0
    const timer = setInterval(() => {
      largest = Math.max(largest, statSync(outputFile).size)
    }, 10)
    const file = await waitForStatusLine(outputFile)
    clearInterval(timer)
    const job = await jobs.wait(jobId, { timeoutMs: 10_000 })

    expect(Math.max(largest, file.length)).toBeLessThanOrEqual(cap)
    expect(file).toMatch(
      /\n\n\[\d+ bytes dropped\]\n\n(?:y\n)+\n\n\[background process timed out after 2s\]$/,
    )
    expect(job).toMatchObject({ status: 'timed_out', droppedBytes: expect.any(Number) })
    expect(job.outputBytes).toBeGreaterThan(cap)
    expect(job.droppedBytes).toBeGreaterThan(0)
  })
})
