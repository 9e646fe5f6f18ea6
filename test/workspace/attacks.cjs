// The attacks on Workspace mode. They are with the fixtures, which are also there for an ordinary user.
const { restrictedAttacks } = require('../fixtures/workspace/attacks/restricted.cjs')
const { workspaceAttacks } = require('../fixtures/workspace/attacks/index.cjs')

module.exports = { restrictedAttacks, workspaceAttacks }
