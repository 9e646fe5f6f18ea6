const { environmentWith } = require('../support/exceptions.cjs')

module.exports = environmentWith(require('./cannot.json'), 'under the sanitizers')
