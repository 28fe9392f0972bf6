package cache

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// dependencies holds what an analysis depends on outside its own text, and records which of it was
// read. The answers stay the same for the lifetime of the value; isCurrent tells when it is out of
// date.
type dependencies struct {
	environment
	files        generic.Lookups[string, fileContent]
	folders      generic.Lookups[string, []string]       // names in the file's own folder, by ""
	lists        generic.Lookups[string, []string]       // files by a pattern
	fingerprints generic.Lookups[string, string]         // of programs; the empty name stands for the targets
	agents       generic.Lookups[string, bool]           // whether targets are agents
	inputs       generic.Lookups[string, *evalsetInputs] // by the setting that names the recording
}

// fileContent is the result of reading a referenced file.
type fileContent struct {
	body  string
	found bool
}

// analyse returns the analysis of body with these dependencies.
func (dp *dependencies) analyse(body string) *analysis.Analysis {
	in := dp.input
	in.Text = body
	return analysis.Of(in)
}

// isAgent reports whether the name of a target is that of a running agent.
func (dp *dependencies) isAgent(target string) bool {
	dp.fingerprints.Get("") // records the targets, so that isCurrent notices a change
	return dp.agents.Get(target)
}

// isCurrent reports whether everything that was read from dp has the same value in latest.
func (dp *dependencies) isCurrent(latest *dependencies) bool {
	before, after := dp.input, latest.input
	if before.HasCases != after.HasCases || !reflect.DeepEqual(dp.project.Run, latest.project.Run) || fmt.Sprint(dp.projectErr) != fmt.Sprint(latest.projectErr) || (before.Sidecar == nil) != (after.Sidecar == nil) || generic.OrZero(before.Sidecar) != generic.OrZero(after.Sidecar) || !maps.Equal(before.Severities, after.Severities) ||
		(before.Targets == nil) != (after.Targets == nil) || !slices.Equal(before.Targets, after.Targets) || (before.ReadFile == nil) != (after.ReadFile == nil) {
		return false
	}
	for program, fingerprint := range dp.fingerprints.All() {
		if latest.fingerprints.Get(program) != fingerprint {
			return false
		}
	}
	for _, names := range dp.folders.All() {
		if after.FolderNames == nil || !slices.Equal(names, after.FolderNames()) {
			return false
		}
	}
	for pattern, names := range dp.lists.All() {
		if after.ListFiles == nil || !slices.Equal(names, after.ListFiles(pattern)) {
			return false
		}
	}
	for name, content := range dp.files.All() {
		if body, found := after.ReadFile(name); body != content.body || found != content.found {
			return false
		}
	}
	return true
}

// filesFingerprint hashes the files that a case refers to in messages, prompts and programs. It is
// "" if there are none.
func (dp *dependencies) filesFingerprint(c *rubric.Case) string {
	files, programs := referencedFiles(c)
	if dp.input.ReadFile == nil {
		files = nil
	}
	if len(files)+len(programs) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, name := range files {
		body, found := dp.input.ReadFile(name)
		fmt.Fprintf(sum, "%q %v %d\n", name, found, len(body))
		_, _ = io.WriteString(sum, body) // a hash never fails
	}
	for _, name := range programs {
		fmt.Fprintf(sum, "%q %s\n", name, dp.fingerprints.Get(name))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// referencedFiles returns the files that a case refers to, and the words of its commands, each of
// which may be a program's file.
func referencedFiles(c *rubric.Case) (names, programs []string) {
	for _, messages := range [][]rubric.Message{c.Asked(), c.Expected} {
		for _, m := range messages {
			parts, _ := m.Content.([]any)
			for _, p := range parts {
				part, _ := p.(map[string]any)
				if name, ok := part["value"].(string); ok && part["type"] == "file" {
					names = append(names, name)
				}
			}
		}
	}
	for g := range rubric.Walk(grade.GradersOf(c)) {
		if g.Prompt != nil {
			programs = append(programs, commandPaths(g.Prompt.Script, "")...)
			if g.Prompt.Path != "" {
				names = append(names, g.Prompt.Path)
			}
		}
		if g.Code != nil {
			programs = append(programs, commandPaths(g.Code.Argv, g.Code.Dir)...)
		}
	}
	return names, programs
}

// commandPaths splits a command, or a shell line, into words and joins the relative ones to dir.
func commandPaths(argv []string, dir string) (paths []string) {
	for _, word := range strings.Fields(strings.Join(argv, " ")) {
		if !path.IsAbs(word) {
			word = path.Join(dir, word)
		}
		paths = append(paths, word)
	}
	return paths
}

// InputsOf returns what a result of a case would depend on now.
func (d *Document) InputsOf(config RunConfig, c *rubric.Case) Inputs {
	dp := d.deps
	inputs := Inputs{Config: config, Files: dp.filesFingerprint(c)}
	if config.Target != run.SelfTargetName || config.Judge != offline.Name && config.Judge != run.EditorJudgeName { // the names may refer to the targets file
		inputs.Targets = dp.fingerprints.Get("")
	}
	return inputs
}
