// The attacks through sockets. They are with the fixtures, which are also there for an ordinary user.
module.exports = require('../../fixtures/workspace/network/index.cjs')
