-- Tests of the choices of judge and target, and of the user's own grades.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local choose, on_screen, changed = editing.choose, editing.on_screen, editing.changed

-- reply answers the next questions of vim.ui.input.
local function reply(...)
  local answers = { ... }
  vim.ui.input = function(_, done)
    done(table.remove(answers, 1))
  end
end

test('what runs grade is chosen and shown', function()
  editing.write('targets.yaml', "targets: [{ name: prod, provider: cli, command_template: 'echo 30 days' }]")
  editing.open('chosen.eval.yaml', 'execution: { target: prod }\n' .. (editing.faulty:gsub('weigth', 'weight')))
  editing.settle({ judge = 'offline' })
  vim.o.laststatus = 2
  vim.wo.statusline = "%{v:lua.require'rubric'.status()}"
  on_screen('prod · offline judge')
  choose('expected answers')
  vim.cmd('RubricTarget')
  on_screen('expected answers · offline judge')
  choose('as the files say: prod')
  vim.cmd('RubricTarget')
  on_screen('prod · offline judge')
  vim.cmd('RubricTarget self')
  on_screen('expected answers · offline judge')
  soon('the name of the target', function()
    return vim.deep_equal({ 'prod' }, vim.fn.getcompletion('RubricTarget p', 'cmdline'))
  end)
end)

test('the judge is chosen and shown', function()
  soon('the name of the judge', function()
    return vim.deep_equal({ 'offline' }, vim.fn.getcompletion('RubricJudge off', 'cmdline'))
  end)
  vim.ui.select = function(names, _, done)
    done(vim.tbl_filter(function(name)
      return name:find(':MODEL', 1, true)
    end, names)[1])
  end
  reply('cli:cat answer.json')
  vim.cmd('RubricJudge')
  on_screen('expected answers · cli:cat answer.json')
  vim.cmd('RubricJudge offline')
  on_screen('expected answers · offline judge')
end)

test('a choice is shown that a slow server applies late', function()
  editing.slow(500)
  vim.cmd('RubricJudge cli:cat answer.json')
  on_screen('expected answers · cli:cat answer.json')
  vim.cmd('RubricJudge offline')
  on_screen('expected answers · offline judge')
end)

test('the user grades a case', function()
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  editing.messages = {}
  reply('y', 'n')
  vim.cmd('RubricGrade')
  contains('refund: borderline, score 0.75', soon('a score', function()
    return editing.messages[1]
  end))
  editing.messages = {}
  reply('y', '7')
  vim.cmd('RubricGrade refund')
  contains('polite', soon('a refusal', function()
    return editing.messages[1]
  end))
end)
