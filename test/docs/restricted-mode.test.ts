// docs/restricted-mode.md, executed.
import { removeTempDirs } from '../support/temp-dir.js'
import { testPage } from './executed-page.js'

afterAll(removeTempDirs)

testPage('docs/restricted-mode', { restricted: true })
