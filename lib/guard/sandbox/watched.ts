// Files of a workspace that programs outside the sandbox execute or obey without being asked: a command's changes to
// them are reported.

/**
 * Paths in each writable directory whose changes a result reports, unless the policy names others. `*` is every entry of
 * a directory; of a directory its entries count.
 *
 * The list of Anthropic's sandbox-runtime, which mounts those paths read-only, and what else a tool reads by itself as
 * soon as somebody works in the directory. Files that take a deliberate step to run (Makefile, package.json, tests, the
 * contents of node_modules) are not in it: after a command they are untrusted anyway. Neither are `.gitattributes`,
 * which only choose among the filters that git's config has, and git's `alternates`, which are data.
 */
export const watchedByDefault: readonly string[] = [
  // git: hooks, and whatever names a program (core.fsmonitor, filters, aliases) or another place to look for it. The
  // engine adds `.git` itself and the repositories further down, and takes a git directory of any name for a `.git`.
  '.git/hooks',
  '.git/config',
  '.git/config.worktree',
  '.git/commondir',
  '.git/info/attributes',
  '.git/rebase-merge/git-rebase-todo', // its `exec` lines run with `git rebase --continue`
  '.git/worktrees/*/commondir',
  '.git/worktrees/*/config.worktree',
  '.git/worktrees/*/rebase-merge/git-rebase-todo',
  '.git/modules/*/config',
  '.git/modules/*/hooks',
  '.git/modules/*/*/config', // a submodule is named by its path
  '.git/modules/*/*/hooks',
  '.gitmodules',
  '.gitconfig',
  'HEAD', // makes the directory itself a repository, with a config and hooks of its own
  // What installed git hooks run.
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  // Shells, and tools that act on entering a directory.
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.ripgreprc',
  '.envrc',
  '.mise.toml',
  'mise.toml',
  // Editors and debuggers.
  '.vscode',
  '.idea',
  '.devcontainer',
  '.zed',
  '.exrc',
  '.nvim.lua',
  '.dir-locals.el',
  '.gdbinit',
  // Agents: their settings, hooks and servers, and what they are told.
  '.mcp.json',
  '.claude',
  '.claude/*',
  '.codex',
  '.cursor',
  '.cursor/*',
  '.gemini',
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  // Package managers: scripts and programs that they load before anything else.
  '.npmrc',
  '.yarnrc.yml',
  '.yarn/releases',
  '.yarn/plugins',
  '.pnpmfile.cjs',
  '.cargo/config.toml',
  '.cargo/config',
  '.mvn',
  '.mvn/wrapper',
]
