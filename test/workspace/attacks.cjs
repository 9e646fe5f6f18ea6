// The attacks on Workspace mode. They are with the fixtures, which are also there for an ordinary user.
module.exports = require('../fixtures/workspace/attacks/index.cjs')
