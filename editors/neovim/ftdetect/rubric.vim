" The name before the dot keeps the syntax and indentation of the file's own
" language; the one after it starts the server.
autocmd BufRead,BufNewFile *.eval.yaml,*.eval.yml,*/.agentv/*.yaml,*/.agentv/*.yml,*.labels.yaml,*.labels.yml,.rubric.yaml,promptfooconfig.yaml,promptfooconfig.yml set filetype=yaml.rubric
autocmd BufRead,BufNewFile *.eval.jsonl,*.eval.json,promptfooconfig.json,*.evalset.json,*.evalset_result.json set filetype=json.rubric

" Other tools have files of these names too. The text decides, when a file is opened and each time it is written.
function! s:sniff(filetype, is_eval) abort
  if a:is_eval && &filetype !~# '\<rubric\>'
    let &filetype = a:filetype
  endif
endfunction

function! s:has(pattern) abort
  return search(a:pattern, 'nw') > 0
endfunction

" is_suite: a key or a schema of AgentV, a list of tests, or the settings for a JSONL file of the same name
function! s:is_suite() abort
  return s:has('\v^["'']?(evalcases|testcases)["'']?\s*:') || s:has('\v^["'']?\$schema["'']?\s*:\s*["'']?agentv-')
    \ || s:has('^- ') && !s:has('\v^[^#[:space:]-]') && s:has('\v^(- |\s+)(assert|assertions|criteria)\s*:')
    \ || filereadable(expand('<afile>:p:r') . '.jsonl')
endfunction

autocmd BufRead,BufNewFile,BufWritePost */evals/*.yaml,*/evals/*.yml call s:sniff('yaml.rubric', s:is_suite())
autocmd BufRead,BufNewFile,BufWritePost */evals/suite.yaml,*/evals/suite.yml call s:sniff('yaml.rubric', s:has('^tests\s*:'))
autocmd BufRead,BufNewFile,BufWritePost targets.yaml,targets.yml call s:sniff('yaml.rubric', s:has('^targets\s*:'))
autocmd BufRead,BufNewFile,BufWritePost */evals/*.jsonl call s:sniff('json.rubric', getline(1) =~# '\v"(expected_outcome|outcome|input|input_messages|criteria|vars|assert|assertions)"\s*:')
autocmd BufRead,BufNewFile,BufWritePost *.test.json call s:sniff('json.rubric', s:has('\v"(eval_?set_?id|eval_?cases|query)"\s*:\c'))
autocmd BufRead,BufNewFile,BufWritePost test_config.json,eval_config.json call s:sniff('json.rubric', s:has('"criteria"\s*:'))
