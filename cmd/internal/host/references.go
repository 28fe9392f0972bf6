package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Fill reads the files that a suite refers to and puts their text where the
// reference stands: the prompts of judges, the files of input messages, in the
// question, and those of the last expected message, in the reference answer.
// Problems are the files that cannot be read: a prompt's path is then its text,
// as the reference implementation has it, and a message lacks the file.
func Fill(evalFile string, suite *rubric.Suite) (problems []string) {
	r := &reading{evalFile: evalFile, files: map[string]referred{}, filled: map[*rubric.Grader]string{}}
	for _, c := range suite.Cases {
		for _, g := range c.Graders {
			c.Unreadable = cmp.Or(c.Unreadable, r.prompts(g))
		}
		if texts, refers := r.messages(c, c.Input); refers {
			c.Question = texts
		}
		if last := len(c.Expected) - 1; last >= 0 {
			files := c.Files
			if texts, refers := r.messages(c, c.Expected[last:]); refers {
				c.ReferenceAnswer = texts
			}
			c.Files = files // what a target is given, which this is not
		}
	}
	return r.problems
}

// reading is the state of filling one suite: each file is read once, however
// many cases share it.
type reading struct {
	evalFile string
	files    map[string]referred       // by how they are referred to
	filled   map[*rubric.Grader]string // why it cannot grade, "" if it can
	problems []string
}

// referred is a file that is referred to; path is "" if there is none.
type referred struct {
	path, body string
	outside    bool // it is there, and outside of the root
	err        error
}

func (r *reading) report(format string, args ...any) {
	if problem := fmt.Sprintf(format, args...); !slices.Contains(r.problems, problem) {
		r.problems = append(r.problems, problem)
	}
}

func (r *reading) read(reference string) referred {
	f, known := r.files[reference]
	if known {
		return f
	}
	if f.path, f.err = locate(r.evalFile, reference); f.err != nil {
		f.outside = true
	} else if f.path == "" {
		f.err = fmt.Errorf("there is no file `%s` beside the eval file %s", reference, orElsewhere(r.evalFile))
	} else {
		f.body, f.err = readWithin(Root(r.evalFile), f.path)
		f.body = strings.ReplaceAll(f.body, "\r\n", "\n")
	}
	r.files[reference] = f
	return f
}

// prompts fills in a grader's own prompt and those of its members. It returns why one of
// them may not be read, "" if they may.
func (r *reading) prompts(g *rubric.Grader) (unreadable string) {
	if why, done := r.filled[g]; done { // cases share the suite's graders
		return why
	}
	r.filled[g] = ""
	for _, m := range g.Members {
		unreadable = cmp.Or(unreadable, r.prompts(m))
	}
	if g.Prompt != nil && g.Prompt.Path != "" {
		unreadable = cmp.Or(unreadable, r.prompt(g.Name, g.Prompt.Path, &g.Prompt.Text))
	}
	if c := g.Combine; c != nil && c.Type == string(rubric.LLMJudge) && c.Prompt != "" && !strings.ContainsAny(c.Prompt, "\n{") {
		unreadable = cmp.Or(unreadable, r.prompt(g.Name, c.Prompt, &c.Prompt))
	}
	r.filled[g] = unreadable
	return unreadable
}

// prompt replaces a text that may be a path by what the file holds.
func (r *reading) prompt(grader, path string, text *string) (unreadable string) {
	switch f := r.read(path); {
	case f.outside:
		return fmt.Sprintf("the prompt of evaluator `%s`: %s", grader, f.err)
	case f.err == nil:
		*text = f.body
	case f.path != "", strings.ContainsAny(path, `/\`), strings.HasSuffix(path, ".md"), strings.HasSuffix(path, ".txt"):
		r.report("evaluator `%s`: %s; the path itself is the prompt", grader, f.err)
	}
	return ""
}

// messages gives the texts of messages with the files that they refer to in
// their places, and whether they refer to any. The files are the case's then.
func (r *reading) messages(c *rubric.Case, messages []rubric.Message) (texts string, refers bool) {
	var parts []string
	for _, m := range messages {
		content, isList := m.Content.([]any)
		if !isList {
			content = []any{m.Content}
		}
		for _, part := range content {
			text, reference := partOf(part)
			if reference != "" {
				refers = true
				text = r.file(c, reference)
			}
			if text = strings.TrimSpace(text); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "\n\n"), refers
}

// file is the text of a file that a case refers to. One that is not text has a
// path all the same, which a command can be given.
func (r *reading) file(c *rubric.Case, reference string) string {
	f := r.read(reference)
	switch {
	case f.outside:
		c.Unreadable = cmp.Or(c.Unreadable, f.err.Error())
	case f.err != nil:
		r.report("case `%s`: %s", c.ID, f.err)
	}
	if f.path != "" && !slices.Contains(c.Files, f.path) {
		c.Files = append(c.Files, f.path)
	}
	return f.body
}

// partOf is the text of a part of a message, or the path that it refers to.
func partOf(part any) (text, reference string) {
	switch p := part.(type) {
	case string:
		return p, ""
	case map[string]any:
		value, _ := p["value"].(string)
		switch p["type"] {
		case "text":
			return value, ""
		case "file":
			return "", value
		}
	}
	return "", ""
}
