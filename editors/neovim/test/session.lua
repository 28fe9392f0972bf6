-- One session in nvim --headless, the same for every version of Neovim.
package.path = vim.env.RUBRIC_PLUGIN .. '/test/?.lua;' .. package.path
for _, about in ipairs({ 'reading', 'running', 'plugin' }) do
  require(about)
end
require('check').run()
