-- Tests of the plugin: servers, help, health.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local client = require('rubric.client')

test('one server serves every file of a folder', function()
  equal(1, #client.clients())
end)

test('an untrusted server runs nothing and reports why', function()
  -- a second client with other options
  local options = require('rubric').options
  options.trusted, options.settings = false, { jugde = 'offline' }
  local config, shown = client.config(), nil
  config.handlers['window/showMessage'] = function(_, params)
    shown = params.message
  end
  config.name, config.root_dir, config.cmd = 'untrusted', editing.folder, { vim.env.RUBRIC_CMD, 'lsp' }
  local id = vim.fn.has('nvim-0.11') == 1 and vim.lsp.start(config, { attach = false }) or vim.lsp.start_client(config)
  options.trusted = true
  vim.lsp.buf_attach_client(editing.buf, id)
  local other = vim.lsp.get_client_by_id(id)
  soon('its start', function()
    return other.initialized
  end)
  contains('there is no setting `rubric.jugde`', soon('the fault of the settings', function()
    return shown
  end))
  options.settings = {}
  local fault
  local params = { command = 'rubric.runFile', arguments = { { uri = vim.uri_from_bufnr(editing.buf) } } }
  local function answered(err)
    fault = err
  end
  if vim.fn.has('nvim-0.11') == 1 then
    other:request('workspace/executeCommand', params, answered, editing.buf)
  else
    other.request('workspace/executeCommand', params, answered, editing.buf)
  end
  contains('not trusted', soon('a refusal', function()
    return fault
  end).message)
  local method = vim.fn.has('nvim-0.11') == 1
  if method then
    other:stop()
  else
    other.stop()
  end
  soon('its end', function()
    return method and other:is_stopped() or not method and other.is_stopped()
  end)
end)

test('setup() shows a misspelt option', function()
  editing.messages = {}
  require('rubric').setup({ hint = false })
  contains('no option `hint`', editing.messages[1])
end)

if client.start_method() == 'config' then
  test('a program that is not installed is named once', function()
    local options, cmd = require('rubric').options, require('rubric').options.cmd
    options.cmd, editing.messages = { 'no-such-rubric', 'lsp' }, {}
    client.start()
    vim.cmd('doautocmd FileType yaml.rubric')
    vim.cmd('doautocmd FileType yaml.rubric')
    options.cmd = cmd
    equal({ 'rubric: `no-such-rubric` is not found; :checkhealth rubric says more' }, editing.messages)
  end)
end

test(':checkhealth rubric', function()
  vim.cmd('checkhealth rubric')
  local text = soon('a report', function()
    local all = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return all:find('server runs in') and all
  end)
  assert(not text:find('ERROR'), text)
end)

test(':help rubric', function()
  vim.cmd('helptags ' .. vim.env.RUBRIC_PLUGIN .. '/doc')
  for _, tag in ipairs({ 'rubric', ':RubricRun', 'rubric-settings', 'rubric-judge', 'rubric-ask', 'rubric-highlights', 'rubric-statusline', 'rubric-case', 'rubric-draft', 'rubric-neotest' }) do
    vim.cmd('help ' .. tag)
    contains('neovim/doc/rubric.txt', vim.api.nvim_buf_get_name(0))
  end
end)

test('every command exists and is documented', function()
  local help = table.concat(vim.fn.readfile(vim.env.RUBRIC_PLUGIN .. '/doc/rubric.txt'), '\n')
  for _, command in ipairs(require('rubric.commands').list) do
    equal(2, vim.fn.exists(':' .. command[1]))
    contains('*:' .. command[1] .. '*', help)
  end
end)

test('start_method knows all three APIs', function()
  local some = function() end
  equal('start_client', client.start_method({ start_client = some }))
  equal('start', client.start_method({ start_client = some, start = some }))
  equal('config', client.start_method({ start = some, enable = some, config = {} }))
end)
