-- :checkhealth rubric
local client = require('rubric.client')

local M = {}

local health = vim.health or require('health')
local report = {
  start = health.start or health.report_start,
  ok = health.ok or health.report_ok,
  info = health.info or health.report_info,
  warn = health.warn or health.report_warn,
  error = health.error or health.report_error,
}

local function program(cmd)
  if type(cmd) ~= 'table' then
    report.info('your own function starts the server')
    return
  end
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    report.error('`' .. cmd[1] .. '` is not found', { 'install the rubric program, or give its path: require("rubric").setup({ cmd = "/path/to/rubric" })' })
    return
  end
  if #cmd ~= 2 or cmd[2] ~= 'lsp' then -- another program may not know `version`
    report.ok(path)
    return
  end
  local output = vim.fn.system({ path, 'version' })
  if vim.v.shell_error ~= 0 then
    report.error('`' .. path .. ' version` fails', { vim.trim(output) })
    return
  end
  report.ok(path .. ': ' .. vim.split(output, '\n')[1])
end

-- finds reports what a run in the current folder finds.
local function finds(cmd)
  if type(cmd) ~= 'table' or #cmd ~= 2 or cmd[2] ~= 'lsp' or vim.fn.executable(cmd[1]) == 0 then
    return
  end
  for _, line in ipairs(vim.fn.systemlist({ cmd[1], 'doctor' })) do
    report.info(line)
  end
end

local function servers()
  local state = require('rubric.server')
  if state.state == 'crashed' then
    report.error('the server has crashed', { ':RubricRestart starts it again', ':RubricOutput shows what it has reported' })
  end
  if state.fault then
    report.warn('the last fault of the server: it ' .. state.fault)
  end
  local running = client.clients()
  if #running == 0 then
    report.info('no server runs; one starts with the first eval file')
  end
  for _, c in ipairs(running) do
    local info = c.server_info or (c.initialized and c.server_info) or {}
    report.ok(string.format('a server runs in %s%s', c.config.root_dir or 'no folder', info.version and ' (' .. info.version .. ')' or ''))
  end
end

function M.check()
  local options = require('rubric').options
  report.start('rubric')
  program(options.cmd)
  report.info('vim.lsp.' .. (client.start_method() == 'config' and 'enable' or client.start_method()) .. ' starts servers')
  if options.trusted == nil then
    report.info('what files name runs after you allow it, here or with `rubric trust FILE`')
  else
    report.info(options.trusted and 'files are trusted: what they name runs when you run cases' or 'files are not trusted: nothing runs')
  end
  report.info(require('rubric.ask').ask_function() and 'the judge `editor` is your `ask` function' or 'no `ask` function, or a Neovim before 0.10: the judge `editor` is not offered')
  report.info('hints are shown ' .. (vim.lsp.inlay_hint and 'by Neovim' or 'at the ends of lines'))
  servers()
  finds(options.cmd)
end

return M
