package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
)

var convertCommand = command{
	name:    "convert",
	args:    "FILE",
	summary: "Convert an eval file to another dialect or version",
	example: "rubric convert --to adk my.eval.yaml --out adk/my.evalset.json\nrubric convert --to agentv my.evalset.json --format json\nrubric convert --to head my.eval.yaml --out my.head.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &convertOptions{}
		flags.StringVar(&o.to, "to", "", "write `DIALECT`: "+strings.Join(otherDialects(), ", ")+", agentv, or the version seed, v4 or head of AgentV")
		flags.StringVar(&o.out, "out", "", "write the cases to `FILE`, and a configuration next to it")
		flags.BoolVar(&o.force, "force", false, "overwrite existing files")
		formatVar(flags, &o.format, "text", "json")
		declareOptions(flags, &o.Settings, "config")
		return func(s *session, args []string) error { return s.convert(args, o) }
	},
}

type convertOptions struct {
	run.Settings
	to, out, format string
	force           bool
}

func otherDialects() []string { return slices.Sorted(maps.Keys(convert.Writers)) }

func (s *session) convert(args []string, o *convertOptions) error {
	names := append(otherDialects(), agentv.Name, "seed", "v4", "head")
	extensions := []string{".yaml", ".yml"}
	if o.to == adk.Name {
		extensions = []string{".json"}
	}
	switch {
	case o.to == "":
		return errors.New("--to is missing; for example `rubric convert --to adk my.eval.yaml`")
	case !slices.Contains(names, o.to):
		return fmt.Errorf("--to must be %s, not `%s`", diag.JoinList(diag.Backtick(names), "or"), o.to)
	case o.Config != "" && o.to != agentv.Name:
		return errors.New("--config applies only to evalsets; use it with --to agentv")
	case o.out != "" && !slices.Contains(extensions, strings.ToLower(filepath.Ext(o.out))):
		return fmt.Errorf("--out %s: the name must end in %s", o.out, diag.JoinList(extensions, "or"))
	case o.to == promptfoo.Name && strings.HasSuffix(strings.TrimSuffix(strings.ToLower(o.out), filepath.Ext(o.out)), ".eval"):
		return fmt.Errorf("--out %s: a file of this name is read as one of AgentV; name it promptfooconfig.yaml, for example", o.out)
	}
	conversion, err := s.convertFile(args[0], o)
	if err != nil {
		return err
	}
	if o.out != "" {
		err = writeFiles(conversion.Files, o.out, o.force)
	}
	switch {
	case err != nil:
	case o.format == "json":
		err = report.WriteJSON(s.stdout, conversion)
	case o.out == "":
		_, err = io.WriteString(s.documentWriter(), conversion.Files[0].Text)
	}
	if err != nil || o.format != "text" {
		return err
	}
	for _, loss := range conversion.Losses {
		fmt.Fprintf(s.stderr, "lost: %s\n", loss)
	}
	if o.out == "" {
		for _, f := range conversion.Files[1:] {
			s.printNote(f.Name + " was not written; --out writes both files")
		}
	}
	return nil
}

// convertFile reads a file and converts it.
func (s *session) convertFile(path string, o *convertOptions) (convert.Conversion, error) {
	set, body, err := s.openFile(path)
	if err != nil {
		return convert.Conversion{}, err
	}
	name := convert.Stem(path)
	if set == nil {
		a, _, err := s.analyseValid(host.NewInput(path, body), &host.Schemas{}, (*analysis.Analysis).Suite, run.MatchIDs(), &runOptions{})
		if err != nil {
			return convert.Conversion{}, err
		}
		if o.to == agentv.Name && a.Dialect() != agentv.Name {
			o.to = "head" // whose files are like those of promptfoo
		}
		write, to := convert.Writers[o.to], convert.VersionNames[o.to]
		switch {
		case o.to == agentv.Name:
			return convert.Conversion{}, fmt.Errorf("%s is already an AgentV file; --to seed, v4 or head writes another version", path)
		case o.to == a.Dialect(), write == nil && to == convert.VersionOf(a.Suite()):
			return convert.Conversion{}, fmt.Errorf("%s is already a file of %s", path, o.to)
		case write != nil:
			return write(a.Suite(), name)
		}
		return convert.ToVersion(a.Suite(), a.Tree(), to, name+"."+o.to)
	}
	switch {
	case o.to == adk.Name:
		return convert.Conversion{}, fmt.Errorf("%s is already an ADK file", path)
	case o.to != agentv.Name:
		return convert.Conversion{}, fmt.Errorf("%s is an ADK file; convert it --to agentv first", path)
	case set.file.Role == adk.Results:
		return convert.Conversion{}, fmt.Errorf("%s contains results; convert their evalset", path)
	}
	if _, err := set.resolveProfile(&o.Settings); err != nil {
		return convert.Conversion{}, err
	}
	if err := set.loadConfig(&o.Settings, adk.Recording{}); err != nil {
		return convert.Conversion{}, err
	}
	return convert.ToAgentV(adk.LowerSet(set.profile, adk.Open(path, set.file.Body)), set.criteria, name)
}

// writeFiles writes the first file to path and the others next to it. If one of them
// exists and force is false, it writes none.
func writeFiles(files []convert.File, path string, force bool) error {
	paths := append([]string{path}, generic.Map(files[1:], func(f convert.File) string { return filepath.Join(filepath.Dir(path), f.Name) })...)
	if i := slices.IndexFunc(paths, disk.Exists); i >= 0 && !force {
		return fmt.Errorf("%s already exists; --force overwrites it", paths[i])
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return disk.FileError(path, err)
	}
	for i, f := range files {
		if err := disk.WriteText(paths[i], f.Text); err != nil {
			return err
		}
	}
	return nil
}
