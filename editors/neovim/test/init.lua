-- A user's configuration. $RUBRIC_CMD is the server.
vim.opt.runtimepath:prepend(vim.env.RUBRIC_PLUGIN)
if vim.env.NVIM_PARSERS and vim.env.NVIM_PARSERS ~= '' then
  vim.opt.runtimepath:append(vim.env.NVIM_PARSERS)
end
vim.o.swapfile = false
vim.o.columns, vim.o.lines = 160, 60
if vim.fn.has('nvim-0.8') == 0 then
  vim.o.termguicolors = true -- the cells of a newer Neovim without a terminal have these colours anyway
end
vim.opt.shortmess:append('I')
vim.cmd('filetype plugin on')
require('rubric').setup({
  cmd = { vim.env.RUBRIC_CMD, 'lsp' },
  ask = function(question, done)
    vim.g.asked = (vim.g.asked or 0) + 1
    vim.defer_fn(function()
      done(vim.g.answer, 'a model of the test', question.user == '' and 'nothing was asked' or nil)
    end, 20)
  end,
})
