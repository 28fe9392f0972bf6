" Tests the README's configuration in Vim. The results go to $RESULT.
set nocompatible noswapfile nomore
filetype plugin on
let g:ale_lint_delay = 0
let g:ale_hover_to_preview = 1
set runtimepath^=/usr/share/vim-ale
runtime plugin/ale.vim
source $RECIPE
let s:out = []

func! s:soon(what, Probe)
  for i in range(2400)
    if a:Probe()
      return
    endif
    sleep 50m
  endfor
  throw 'waited in vain for ' . a:what
endfunc

func! s:found()
  return filter(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.code ==# "unknown-key"')
endfunc

func! s:run()
  edit $EVAL
  ALELint
  call s:soon('the finding', {-> !empty(s:found())})
  let d = s:found()[0]
  call assert_equal([9, 9, 14], [d.lnum, d.col, d.end_col])
  call add(s:out, 'ok - the misspelt key is told with its span')
  call cursor(8, 12)
  ALEHover
  call s:soon('hover', {-> !empty(filter(range(1, winnr('$')), 'join(getbufline(winbufnr(v:val), 1, "$")) =~# "expected_outcome.*text"'))})
  call add(s:out, 'ok - hover is shown in the preview window')
  pclose
  call cursor(9, 11)
  ALECodeAction
  call s:soon('the fix', {-> getline(9) ==# '        weight: 3'})
  call add(s:out, 'ok - the fix changes the text')
  ALELint " Ex mode tells of no change
  call s:soon('no finding', {-> empty(s:found())})
  call add(s:out, 'ok - then nothing is found')
endfunc

try
  call s:run()
catch
  call add(s:out, 'not ok - ' . v:exception . ' ' . v:throwpoint)
endtry
call extend(s:out, map(copy(v:errors), '"not ok - " . v:val'))
let s:failed = len(filter(copy(s:out), 'v:val =~# "^not"'))
call add(s:out, 'vim ' . v:versionlong . ': ' . (len(s:out) - s:failed) . ' passed, ' . s:failed . ' failed')
call writefile(s:out, $RESULT)
exe s:failed ? 'cquit' : 'qall!'
