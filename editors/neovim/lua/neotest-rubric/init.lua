-- The adapter for neotest: it lists the cases of eval files and runs them with `rubric run`.
local M = { name = 'neotest-rubric' }

local names = { '%.eval%.ya?ml$', '%.eval%.jsonl$', '%.evalset%.json$', '/evals/.*%.ya?ml$', '/evals/.*%.jsonl$' }

function M.root(dir)
  return require('neotest.lib').files.match_root_pattern('.rubric.yaml', '.agentv', '.git')(dir)
end

function M.filter_dir(name)
  return name ~= 'node_modules'
end

-- is_test_file decides by the name. A file that the server does not know has no cases.
function M.is_test_file(path)
  for _, name in ipairs(names) do
    if path:find(name) then
      return true
    end
  end
  return false
end

-- load passes the items of a file to done, in the form of positions, or nil. The server reads the file from a
-- hidden buffer.
local function load(path, done)
  local buf = vim.fn.bufadd(path)
  vim.fn.bufload(buf)
  local tries = 0
  local function ask()
    tries = tries + 1
    if require('rubric.client').is_ready(buf) then
      require('rubric').positions(buf, done)
    elseif tries > 100 or not vim.bo[buf].filetype:find('rubric', 1, true) then
      done(nil)
    else
      vim.defer_fn(ask, 50)
    end
  end
  ask()
end

-- discover_positions returns the tree of a file: its cases, without criteria, which neotest does not know.
function M.discover_positions(path)
  local nio = require('nio')
  nio.scheduler()
  local root = nio.wrap(load, 2)(path)
  if not root then
    return nil
  end
  local file = vim.tbl_extend('force', root[1], { id = path, path = path })
  local list = { file }
  for i = 2, #root do
    local case = root[i][1]
    list[i] = { vim.tbl_extend('force', case, { id = path .. '::' .. case.name, path = path }) }
  end
  return require('neotest.types').Tree.from_list(list, function(position)
    return position.id
  end)
end

-- build_spec returns how to run a file or a case. A folder is run file by file.
function M.build_spec(args)
  local position = args.tree:data()
  if position.type == 'dir' then
    return nil
  end
  local options = require('rubric').options
  local results = vim.fn.tempname() .. '.jsonl'
  local command = { options.cmd[1], 'run', position.path, '--out', results }
  if position.type == 'test' then
    vim.list_extend(command, { '--case', position.name })
  end
  for _, name in ipairs({ 'target', 'judge' }) do
    if options.settings[name] then
      vim.list_extend(command, { '--' .. name, options.settings[name] })
    end
  end
  if vim.fn.executable('sh') == 1 then -- without a terminal to ask on, a run says what needs a consent
    command = vim.list_extend({ 'sh', '-c', 'exec "$0" "$@" </dev/null' }, command)
  end
  return { command = command, context = { results = results } }
end

local statuses = { pass = 'passed', ungraded = 'skipped' }

-- results returns the results of the cases that a run has written.
function M.results(spec, result, tree)
  local root = tree:data()
  if vim.fn.filereadable(spec.context.results) == 0 then
    return { [root.id] = { status = 'failed', output = result.output } }
  end
  local rows = {}
  for _, node in tree:iter_nodes() do
    local position = node:data()
    rows[position.id] = position.range and position.range[1]
  end
  local all = {}
  for _, line in ipairs(vim.fn.readfile(spec.context.results)) do
    local record = vim.json.decode(line)
    local id = root.path .. '::' .. record.eval_id
    local errors = vim.tbl_map(function(reason)
      return { message = reason, line = rows[id] }
    end, record.reasons or {})
    all[id] = {
      status = statuses[record.verdict] or 'failed',
      short = table.concat(vim.list_extend({ record.eval_id .. ': ' .. record.verdict }, record.reasons or {}), '\n'),
      errors = errors,
      output = result.output,
    }
  end
  vim.fn.delete(spec.context.results)
  return all
end

return M
