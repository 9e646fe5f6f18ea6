const { environmentWith } = require('../../../support/exceptions.cjs')

module.exports = environmentWith(require('./cannot.json'), 'on the portable engine')
