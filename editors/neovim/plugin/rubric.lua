if vim.g.loaded_rubric then
  return
end
vim.g.loaded_rubric = true
require('rubric').start()
