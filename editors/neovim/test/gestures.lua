-- Tests of what users naturally do: copy a case, rename and delete the file, use neotest.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local on_screen = editing.on_screen

local case = [==[
  - id: greeting
    expected_outcome: Greets
    input: Hi
    expected_output: Hello
    rubrics: [{ id: hello, expected_outcome: Mentions "Hello" }]]==]

test('a copied case keeps the results of all cases on the screen', function()
  editing.open('copied.eval.yaml', 'evalcases:\n' .. case .. '\n' .. (case:gsub('greeting', 'other')))
  editing.settle({ judge = 'offline' })
  vim.cmd('RubricRunFile')
  soon('both results', function()
    return select(2, editing.screen():gsub('✓', '')) == 4
  end)
  vim.cmd('silent 2,6copy 6')
  editing.changed()
  soon('the finding', function()
    return #editing.found('duplicate-case-id') > 0
  end)
  soon('results of the other cases', function()
    return select(2, editing.screen():gsub('✓', '')) >= 4
  end)
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  vim.cmd('RubricCase')
  on_screen('# greeting')
  vim.cmd('silent only')
  vim.cmd('silent undo')
end)

test('a renamed file runs, and a deleted one has no results', function()
  local renamed = editing.folder .. '/renamed.eval.yaml'
  vim.cmd('silent write')
  assert(vim.loop.fs_rename(editing.folder .. '/copied.eval.yaml', renamed))
  vim.cmd('silent bdelete!')
  vim.cmd('edit ' .. renamed)
  editing.buf = vim.api.nvim_get_current_buf()
  soon('a server', function()
    return require('rubric.client').is_ready(editing.buf)
  end)
  equal(nil, editing.screen():match('✓'))
  vim.cmd('RubricRun greeting')
  on_screen('✓')
  assert(vim.loop.fs_unlink(renamed))
  vim.cmd('silent bdelete!')
  vim.cmd('enew')
  equal(nil, editing.screen():match('✓'))
end)

-- waiting returns a function that waits for what a function passes to its last argument, as nio.wrap does.
local function waiting(act)
  return function(argument)
    local answer
    act(argument, function(value)
      answer = { value }
    end)
    return soon('an answer', function()
      return answer
    end)[1]
  end
end

-- tree makes a tree as neotest does.
local function tree(list)
  return {
    data = function()
      return list[1]
    end,
    iter_nodes = function()
      local all = vim.tbl_map(function(one)
        return tree(one[1] and one or { one })
      end, list)
      return ipairs(all)
    end,
    list = list,
  }
end

test('the adapter for neotest lists and runs cases', function()
  package.loaded['nio'] = { scheduler = function() end, wrap = waiting }
  package.loaded['neotest.types'] = { Tree = { from_list = tree } }
  local adapter = require('neotest-rubric')
  equal({ true, true, false }, vim.tbl_map(adapter.is_test_file, { 'a.eval.yaml', '/evals/b.yml', '/c.yaml' }))
  local path = editing.write('neo.eval.yaml', 'evalcases:\n' .. case .. '\n' .. (case:gsub('greeting', 'other'):gsub('output: Hello', 'output: Bye')))
  local found = adapter.discover_positions(path)
  equal({ path, path .. '::greeting', path .. '::other' }, { found.list[1].id, found.list[2][1].id, found.list[3][1].id })
  local spec = adapter.build_spec({ tree = found })
  vim.fn.system(spec.command)
  local results = adapter.results(spec, { output = '' }, found)
  equal({ 'passed', 'failed' }, { results[path .. '::greeting'].status, results[path .. '::other'].status })
  contains('`hello`', results[path .. '::other'].errors[1].message)
  equal(6, results[path .. '::other'].errors[1].line)
  spec = adapter.build_spec({ tree = tree({ found.list[2][1] }) })
  vim.fn.system(spec.command)
  equal({ path .. '::greeting' }, vim.tbl_keys(adapter.results(spec, { output = '' }, found)))
  equal({ [path] = { status = 'failed', output = 'why' } }, adapter.results(spec, { output = 'why' }, found))
end)
