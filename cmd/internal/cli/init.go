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
		judge := flags.String("judge", "", "judge with the model `PROVIDER:MODEL` by default")
		ci := flags.Bool("ci", false, "write a workflow for GitHub")
		vscode := flags.Bool("vscode", false, "recommend the extension for VS Code")
		return func(s *session, args []string) error {
			if s.ask != nil {
				*ci = flags.Changed("ci") && *ci || !flags.Changed("ci") && s.ask("Write a workflow for GitHub? [y/N] ")
				*vscode = flags.Changed("vscode") && *vscode || !flags.Changed("vscode") && s.ask("Recommend the extension for VS Code? [y/N] ")
			}
			return s.init(args, *judge, *ci, *vscode)
		}
	},
}

// starterFiles are the files that init writes. A name starts with "dot." where the file's starts
// with a dot, and a text has {judge} where the judge belongs.
//
//go:embed starter
var starterFiles embed.FS

func (s *session) init(args []string, model string, ci, vscode bool) error {
	folder := append(args, ".")[0]
	settings, workflow := "# judge: openai:gpt-4.1-mini   # what grades, after `rubric trust`; without it, the offline judge", ""
	if model != "" {
		name, _, isModel := strings.Cut(model, ":")
		provider, known := wire.FindProvider(name)
		if !isModel || !known {
			return fmt.Errorf("--judge must be PROVIDER:MODEL, such as openai:gpt-4.1-mini, not `%s`", model)
		}
		settings = "judge: " + model
		workflow = fmt.Sprintf("          judge: %s\n        env:\n          %s: ${{ secrets.%[2]s }}\n", model, provider.KeyVars[0])
	}
	root := repositoryRoot(folder)
	err := fs.WalkDir(starterFiles, "starter", func(name string, entry fs.DirEntry, err error) error {
		path := strings.ReplaceAll(strings.TrimPrefix(name, "starter/"), "dot.", ".")
		if err != nil || entry.IsDir() || strings.HasPrefix(path, ".github") && !ci || strings.HasPrefix(path, ".vscode") && !vscode {
			return err
		}
		body, _ := starterFiles.ReadFile(name) // embedded
		judge, dir := settings, folder
		if strings.HasPrefix(path, ".github") {
			judge, dir = workflow, root
		} else if strings.HasPrefix(path, ".vscode") {
			dir = root
		}
		path = filepath.Join(dir, filepath.FromSlash(path))
		if old, err := disk.ReadFile(path); err == nil && model != "" && entry.Name() == "dot.rubric.yaml" && !strings.Contains("\n"+old, "\n"+settings) {
			s.printNote(fmt.Sprintf("%s stays as it is; write `%s` into it", path, settings))
		}
		return s.writeNew(path, strings.ReplaceAll(string(body), "{judge}", judge))
	})
	if err != nil {
		return err
	}
	in := ""
	if folder != "." {
		in = " " + folder
	}
	trust := ""
	if model != "" { // that a file names it needs a consent
		trust = fmt.Sprintf("`rubric trust %s` and ", filepath.Join(folder, "support.eval.yaml"))
	}
	return s.printText(fmt.Sprintf("next: `rubric check%s`, then %s`rubric run%s`; with `--out run1.jsonl`, `rubric view` shows that run\n", in, trust, in))
}

// repositoryRoot returns the root of the Git repository that folder is in, or else folder. GitHub and
// VS Code read their files at the root.
func repositoryRoot(folder string) string {
	absolute, err := filepath.Abs(folder)
	if folders := disk.RepositoryFolders(absolute); err == nil && folders != nil {
		return filepath.Join(folder, strings.Repeat("../", len(folders)-1))
	}
	return folder
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
