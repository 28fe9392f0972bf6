package lsp

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// referred is a fingerprint of what the files hold that a case refers to, in its
// messages and as prompts; "" if it refers to none or nobody can read them.
func referred(c *rubric.Case, read func(reference string) (body string, found bool)) string {
	names := filesOf(c)
	if len(names) == 0 || read == nil {
		return ""
	}
	sum := sha256.New()
	for _, name := range names {
		body, found := read(name)
		fmt.Fprintf(sum, "%q %v %d\n", name, found, len(body))
		_, _ = io.WriteString(sum, body) // a hash takes everything
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// filesOf are the files that a case refers to, in its order.
func filesOf(c *rubric.Case) (names []string) {
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
	var prompts func([]*rubric.Grader)
	prompts = func(graders []*rubric.Grader) {
		for _, g := range graders {
			if g.Prompt != nil && g.Prompt.Path != "" {
				names = append(names, g.Prompt.Path)
			}
			prompts(g.Members)
		}
	}
	prompts(grade.Graders(c))
	return names
}
