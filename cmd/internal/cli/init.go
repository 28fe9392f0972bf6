package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

var initCommand = command{
	name:    "init",
	args:    "[FOLDER]",
	summary: "Write a first eval file and its settings",
	example: "rubric init\nrubric init evals --judge openai:gpt-4.1-mini --ci --vscode",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &initOptions{}
		flags.StringVar(&o.judge, "judge", "", "judge with the model `PROVIDER:MODEL` by default")
		flags.BoolVar(&o.ci, "ci", false, "write a workflow for GitHub")
		flags.BoolVar(&o.vscode, "vscode", false, "recommend the extension for VS Code")
		return func(s *session, args []string) error {
			if s.ask != nil {
				o.ci = flags.Changed("ci") && o.ci || !flags.Changed("ci") && s.ask("Write a workflow for GitHub? [y/N] ")
				o.vscode = flags.Changed("vscode") && o.vscode || !flags.Changed("vscode") && s.ask("Recommend the extension for VS Code? [y/N] ")
			}
			return s.init(args, o)
		}
	},
}

type initOptions struct {
	judge      string
	ci, vscode bool
}

// starterFiles are the files that init writes. A name starts with "dot." where the file's starts
// with a dot, and a text has {judge} where the judge belongs.
//
//go:embed starter
var starterFiles embed.FS

func (s *session) init(args []string, o *initOptions) error {
	folder := append(args, ".")[0]
	settings, workflow := "# judge: openai:gpt-4.1-mini   # what grades, after `rubric trust`; without it, the offline judge", ""
	if o.judge != "" {
		name, _, isModel := strings.Cut(o.judge, ":")
		provider, known := wire.FindProvider(name)
		if !isModel || !known {
			return fmt.Errorf("--judge must be PROVIDER:MODEL, such as openai:gpt-4.1-mini, not `%s`", o.judge)
		}
		settings = "judge: " + o.judge
		workflow = fmt.Sprintf("          judge: %s\n        env:\n          %s: ${{ secrets.%[2]s }}\n", o.judge, provider.KeyVars[0])
	}
	err := fs.WalkDir(starterFiles, "starter", func(name string, entry fs.DirEntry, err error) error {
		path := strings.ReplaceAll(strings.TrimPrefix(name, "starter/"), "dot.", ".")
		switch {
		case err != nil || entry.IsDir() || strings.HasPrefix(path, ".github") && !o.ci || strings.HasPrefix(path, ".vscode") && !o.vscode:
			return err
		}
		body, err := starterFiles.ReadFile(name)
		if err != nil {
			return err
		}
		judge := settings
		if strings.HasPrefix(path, ".github") {
			judge = workflow
		}
		return s.writeNew(filepath.Join(folder, filepath.FromSlash(path)), strings.ReplaceAll(string(body), "{judge}", judge))
	})
	if err != nil {
		return err
	}
	in := ""
	if folder != "." {
		in = " " + folder
	}
	trust := ""
	if o.judge != "" { // that a file names it needs a consent
		trust = fmt.Sprintf("`rubric trust %s` and ", filepath.Join(folder, "support.eval.yaml"))
	}
	return s.printText(fmt.Sprintf("next: `rubric check%s`, then %s`rubric run%s`\n", in, trust, in))
}

// writeNew writes a file and its folders, unless the file exists.
func (s *session) writeNew(path, body string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return disk.FileError(path, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		s.printText("exists: " + path + "\n")
		return nil
	}
	if err == nil {
		_, err = file.WriteString(body)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return disk.FileError(path, err)
	}
	s.printText("wrote: " + path + "\n")
	return nil
}
