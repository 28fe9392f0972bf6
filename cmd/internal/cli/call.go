package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/wasm/api"
)

var callCommand = command{
	name:    "call",
	args:    "[METHOD]",
	summary: "Answer evaluator requests, one JSON object per line",
	list: func() string {
		return listNames(13, api.Methods(), func(m api.Method) (name, summary string) { return m.Name, m.Summary })
	},
	values:  methodNames,
	example: `echo '{"id":1,"method":"version"}' | rubric call` + "\n" + `echo '{"text":"evalcases: []"}' | rubric call check`,
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		wasm := flags.Bool("wasm", false, "answer with the evaluator's WebAssembly module")
		return func(s *session, args []string) error {
			if len(args) == 1 {
				if names := methodNames(); !slices.Contains(names, args[0]) {
					return fmt.Errorf("unknown method `%s`%s", args[0], spell.DidYouMeanOr(args[0], names, "`rubric call --help` lists the methods"))
				}
			}
			if !*wasm {
				return s.call(api.Call, args)
			}
			wasm, err := page.EmbeddedModule()
			if err != nil {
				return err
			}
			module, err := evaluator.Open(s.ctx, wasm, wasi.Settings{Memory: evaluator.MaxMemory, Cache: wasi.CacheFolder()})
			if err != nil {
				return err
			}
			defer module.Close(s.ctx)
			return s.call(func(request []byte) []byte { return module.Answer(s.ctx, request) }, args)
		}
	},
}

func (s *session) call(answer func([]byte) []byte, args []string) error {
	lines := bufio.NewScanner(s.stdin)
	lines.Buffer(nil, 2*disk.MaxFile) // the size of a file escaped as JSON
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if len(args) == 1 {
			line = fmt.Appendf(nil, `{"id":%d,"method":%q,"params":%s}`, n, args[0], line)
		}
		if _, err := s.stdout.Write(append(answer(line), '\n')); err != nil {
			return fmt.Errorf("write the response: %w", err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("read the request: a request is longer than %d MiB", disk.MaxFile>>20)
	case err != nil:
		return fmt.Errorf("read the request: %w", err)
	}
	return nil
}

func methodNames() []string {
	return generic.Map(api.Methods(), func(m api.Method) string { return m.Name })
}
