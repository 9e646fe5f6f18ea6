// docs/restricted-mode.md, executed.
import { testPage } from './executed-page.js'

testPage('docs/restricted-mode', { restricted: true })
