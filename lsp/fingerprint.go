package lsp

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// filesFingerprint is a fingerprint of what the files hold that a case refers to, in its
// messages, as prompts and as programs; "" if it refers to none.
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
		_, _ = io.WriteString(sum, body) // a hash takes everything
	}
	for _, name := range programs {
		fmt.Fprintf(sum, "%q %s\n", name, dp.fingerprint(name))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// referencedFiles are the files that a case refers to, in its order, and what may be the
// files of its programs.
func referencedFiles(c *rubric.Case) (names, programs []string) {
	for _, messages := range [][]rubric.Message{c.Input, c.Expected} {
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
	var visit func([]*rubric.Grader)
	visit = func(graders []*rubric.Grader) {
		for _, g := range graders {
			if g.Prompt != nil {
				programs = append(programs, commandPaths(g.Prompt.Script, "")...)
				if g.Prompt.Path != "" {
					names = append(names, g.Prompt.Path)
				}
			}
			if g.Code != nil {
				programs = append(programs, commandPaths(g.Code.Argv, g.Code.Dir)...)
			}
			visit(g.Members)
		}
	}
	visit(grade.GradersOf(c))
	return names, programs
}

// commandPaths are those of a command, of a line for the shell too, as paths from the
// folder that it runs in.
func commandPaths(argv []string, dir string) (paths []string) {
	for _, word := range strings.Fields(strings.Join(argv, " ")) {
		if !path.IsAbs(word) {
			word = path.Join(dir, word)
		}
		paths = append(paths, word)
	}
	return paths
}
