" The name before the dot keeps the syntax and indentation of the file's own
" language; the one after it starts the server.
autocmd BufRead,BufNewFile *.eval.yaml,*.eval.yml,*/evals/*.yaml,*/evals/*.yml,*/.agentv/*.yaml,.rubric.yaml set filetype=yaml.rubric
autocmd BufRead,BufNewFile *.eval.jsonl,*/evals/*.jsonl,*.evalset.json,*.evalset_result.json,test_config.json set filetype=json.rubric
