import { resolve } from 'node:path'
import { resolveDirectory } from '../../lib/util/resolve-directory.js'

describe('resolveDirectory', () => {
  test('takes a relative path from the working directory of the process', () => {
    expect(resolveDirectory('cwd', 'lib')).toBe(resolve(process.cwd(), 'lib'))
  })

  test('names the field that it was asked to name', () => {
    expect(() => resolveDirectory('context.workingDir', 7)).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: 'context.workingDir: must be the path of a directory (got 7)',
      }),
    )
  })
})
