-- Runs all tests in nvim --headless.
package.path = vim.env.RUBRIC_PLUGIN .. '/test/?.lua;' .. package.path
for _, file in ipairs({ 'reading', 'running', 'drafting', 'panel', 'gestures', 'choosing', 'server', 'plugin' }) do
  require(file)
end
require('check').run()
