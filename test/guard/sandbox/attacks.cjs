// The attacks on Restricted mode. They are with the fixtures, which are also there for an ordinary user.
module.exports = require('../../fixtures/sandbox/attacks/index.cjs')
