import { watchedByDefault } from '../../../lib/guard/sandbox/watched.js'

/** protocol::kMaxWatched */
const maxWatched = 128

describe('the paths that are watched by default', () => {
  it('are no more than a request can carry', () => {
    expect(watchedByDefault.length).toBeLessThanOrEqual(maxWatched)
  })

  it.each(watchedByDefault)('have %s in the directory itself, and once', (path) => {
    expect(path).not.toMatch(/^\/|\/$|\/\/|\0|(?:^|\/)\.{1,2}(?:\/|$)/)
    expect(watchedByDefault.filter((other) => other === path)).toHaveLength(1)
  })

  it.each([
    '.git/hooks',
    '.git/config',
    '.git/commondir',
    '.gitmodules',
    '.gitconfig',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zprofile',
    '.ripgreprc',
    '.mcp.json',
    '.vscode',
    '.idea',
    '.claude/*',
  ])('have what sandbox-runtime protects: %s', (path) => {
    expect(watchedByDefault).toContain(path)
  })
})
