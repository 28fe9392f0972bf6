-- :checkhealth rubric
local client = require('rubric.client')

local M = {}

local health = vim.health or require('health')
local say = {
  start = health.start or health.report_start,
  ok = health.ok or health.report_ok,
  info = health.info or health.report_info,
  warn = health.warn or health.report_warn,
  error = health.error or health.report_error,
}

local function program(cmd)
  if type(cmd) ~= 'table' then
    say.info('the server is started by a function of your own')
    return
  end
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    say.error('`' .. cmd[1] .. '` is not found', { 'install the rubric program, or give its path: require("rubric").setup({ cmd = "/path/to/rubric" })' })
    return
  end
  if #cmd ~= 2 or cmd[2] ~= 'lsp' then -- another program may do anything when it is asked its version
    say.ok(path)
    return
  end
  local said = vim.fn.system({ path, 'version' })
  if vim.v.shell_error ~= 0 then
    say.error('`' .. path .. ' version` fails', { vim.trim(said) })
    return
  end
  say.ok(path .. ': ' .. vim.split(said, '\n')[1])
end

local function servers()
  local running = client.clients()
  if #running == 0 then
    say.info('no server runs; one starts with the first eval file')
  end
  for _, c in ipairs(running) do
    local info = c.server_info or (c.initialized and c.server_info) or {}
    say.ok(string.format('a server runs in %s%s', c.config.root_dir or 'no folder', info.version and ' (' .. info.version .. ')' or ''))
  end
end

function M.check()
  local options = require('rubric').options
  say.start('rubric')
  program(options.cmd)
  say.info('servers are started by vim.lsp.' .. (client.way() == 'config' and 'enable' or client.way()))
  say.info(options.trusted and 'files are trusted: cases run when you ask' or 'files are not trusted: nothing runs')
  say.info(require('rubric.ask').offered() and 'the judge `editor` is your `ask` function' or 'no `ask` function, or a Neovim before 0.10: the judge `editor` is not offered')
  say.info('hints are shown ' .. (vim.lsp.inlay_hint and 'by Neovim' or 'at the ends of lines'))
  servers()
end

return M
