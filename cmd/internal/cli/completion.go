package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/analysis"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// completeArguments sets what shells offer for the arguments of cmd: values, or else eval files.
func completeArguments(cmd *cobra.Command, values func() []string) {
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if values == nil {
			return []string{"yaml", "yml", "json", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
		}
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags sets what shells offer for the flags of cmd: their valid values, the rules, and the
// cases and targets of the eval files among the arguments. Other flags take files.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		values := flagValues(f)
		if values == nil {
			return
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) { // fails for an unknown flag only
			found, directive := values(args), cobra.ShellCompDirectiveNoFileComp
			if slices.ContainsFunc(found, func(v string) bool {
				return strings.HasPrefix(v, prefix) && strings.ContainsAny(v[len(v)-1:], "=:")
			}) {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
			return found, directive
		})
	})
}

// flagValues returns a function from the arguments of a call to the values of a flag, or nil.
func flagValues(f *pflag.Flag) func(files []string) []string {
	switch f.Name {
	case "case":
		return caseIDs
	case "target", "judge":
		return func(files []string) []string { return targetNames(f.Name, files) }
	case "rule":
		return func([]string) []string {
			return text.Map(lint.RuleIDs(), func(id string) string { return id + "=" })
		}
	}
	switch v := f.Value.(type) {
	case *choice:
		return func([]string) []string { return v.values }
	case *optionFlag:
		if len(v.Values) > 0 {
			return func([]string) []string { return v.Values }
		}
	}
	return nil
}

// caseIDs lists the cases of the files that a run of paths has, as far as they can be read.
func caseIDs(paths []string) (ids []string) {
	s := &session{stderr: io.Discard}
	files, _ := s.findRunFiles(paths)
	for _, path := range files {
		if _, body, err := s.openFile(path); err == nil {
			ids = append(ids, analysis.Of(host.NewInput(path, body)).ListCaseIDs()...)
		}
	}
	return ids
}

// targetNames lists names for --target or --judge: those of the nearest targets.yaml, and the
// beginnings of others.
func targetNames(flag string, files []string) []string {
	names := []string{"self", "mock:", "replay:"}
	if flag == "judge" {
		names = []string{"offline", targets.AutoJudgeName}
	}
	names = append(names, "cli:")
	names = append(names, text.Map(wire.Providers(), func(p wire.Provider) string { return p.Name + ":" })...)
	listed, _ := targets.ListTargets(append(files, "any.eval.yaml")[0], "")
	names = append(names, text.Map(listed, func(t targets.ListedTarget) string { return t.Name })...)
	return names
}
