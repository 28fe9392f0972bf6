'use strict'
exports.run = require('./tests.js').run(require('./reading.js'), require('./running.js'), require('./judging.js'))
