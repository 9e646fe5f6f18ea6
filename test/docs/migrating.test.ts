// docs/migrating.md, executed; what needs a package that is not installed is executed by `npm run test:comparison`.
import { testPage } from './executed-page.js'

testPage('docs/migrating', { restricted: true })
