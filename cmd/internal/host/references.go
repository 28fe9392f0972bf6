package host

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Fill reads the files that a suite refers to, the prompts of judges and the
// files of messages, and puts their text where the reference stands. Problems
// are those that are not there: a prompt's path is then its text, as the
// reference implementation has it, and a message lacks the file.
func Fill(evalFile string, suite *rubric.Suite) (problems []string) {
	seen := map[string]bool{}
	report := func(format string, args ...any) {
		if problem := fmt.Sprintf(format, args...); !seen[problem] {
			seen[problem] = true
			problems = append(problems, problem)
		}
	}
	for _, c := range suite.Cases {
		for _, g := range c.Graders {
			fillPrompts(evalFile, g, report)
		}
		var attached []string
		for _, m := range c.Input {
			for _, reference := range files(m.Content) {
				body, err := readReference(evalFile, reference)
				if err != nil {
					report("case `%s`: %s", c.ID, err)
					continue
				}
				attached = append(attached, body)
			}
		}
		if len(attached) > 0 {
			c.Question = strings.TrimSpace(c.Question + "\n\n" + strings.Join(attached, "\n\n"))
		}
	}
	return problems
}

func fillPrompts(evalFile string, g *rubric.Grader, report func(string, ...any)) {
	for _, m := range g.Members {
		fillPrompts(evalFile, m, report)
	}
	if g.Prompt == nil || g.Prompt.Path == "" {
		return
	}
	body, err := readReference(evalFile, g.Prompt.Path)
	switch {
	case err == nil:
		g.Prompt.Text = body
	case strings.ContainsAny(g.Prompt.Path, `/\`) || strings.HasSuffix(g.Prompt.Path, ".md") || strings.HasSuffix(g.Prompt.Path, ".txt"):
		report("evaluator `%s`: %s; the path itself is the prompt", g.Name, err)
	}
}

// files are the paths that a message's content refers to.
func files(content any) []string {
	var paths []string
	parts, _ := content.([]any)
	for _, part := range parts {
		if p, ok := part.(map[string]any); ok && p["type"] == "file" {
			if path, ok := p["value"].(string); ok {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

func readReference(evalFile, reference string) (string, error) {
	path := Locate(evalFile, reference)
	if path == "" {
		return "", fmt.Errorf("there is no file `%s` beside the eval file or above it", reference)
	}
	return Read(path)
}
