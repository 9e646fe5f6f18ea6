const bashward = require('bashward')
const { probe } = require('./probe.cjs')

probe(bashward).then((report) => console.log(JSON.stringify(report)))
