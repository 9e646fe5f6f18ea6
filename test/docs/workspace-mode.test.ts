// docs/workspace-mode.md, executed.
import { testPage } from './executed-page.js'

testPage('docs/workspace-mode', { workspace: true })
