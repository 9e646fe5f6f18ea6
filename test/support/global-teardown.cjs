// After all tests: the run fails when it has written to the developer's own state directory.
module.exports = () => globalThis.checkOwnState()
