'use strict'
// The git extension copies files only into new work trees.
exports.cp = require('node:fs/promises').cp
exports.copyFile = require('node:fs/promises').copyFile
exports.isCloneSupported = async () => false
