package host

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FillReferences reads the files that a suite refers to, and replaces the references by their
// text: prompts of judges, files in input messages (in the question), and files in the last
// expected message (in the reference answer).
//
// problems lists files that do not exist. A prompt is then its path, which only the reference
// profiles send to a judge, and a message lacks the file.
func FillReferences(evalFile string, suite *rubric.Suite) (problems []string) {
	r := &referenceResolver{evalFile: evalFile, absolutePaths: suite.Version != "", files: map[string]referencedFile{}, graders: map[*rubric.Grader]filledGrader{}}
	if suite.Version == "" { // later versions have no guidelines
		r.isGuideline = guidelineMatcher(evalFile)
	}
	for _, c := range suite.Cases {
		var unreadable string
		c.Graders, unreadable = r.fillGraders(c.Graders)
		c.Unreadable = cmp.Or(c.Unreadable, unreadable)
		if r.fillAsked(c) {
			c.Question = rubric.ConversationText(c.Asked())
			c.Files = append(c.Files, rubric.GuidelineFiles(c.Input)...)
			for _, m := range c.Asked() {
				for _, p := range m.Parts {
					if p.Path != "" && !slices.Contains(c.Files, p.Path) {
						c.Files = append(c.Files, p.Path)
					}
				}
			}
		}
		if last := len(c.Expected) - 1; last >= 0 {
			if filled := r.fillMessages(c, c.Expected[last:]); filled != nil {
				c.ReferenceAnswer = contentsText(filled[0])
			}
		}
	}
	return r.problems
}

// referenceResolver resolves the references of one suite. It reads each file once, however many
// cases share it.
type referenceResolver struct {
	evalFile      string
	absolutePaths bool                            // commands are told a file's absolute path, as in the reference's later versions
	files         map[string]referencedFile       // by reference
	graders       map[*rubric.Grader]filledGrader // by the grader as it was; cases share the suite's
	isGuideline   func(path string) bool          // nil if there are no guidelines
	problems      []string
}

// filledGrader is a grader with its prompts filled in, and why one of them must not be read, or "".
type filledGrader struct {
	*rubric.Grader
	unreadable string
}

// referencedFile is a referenced file. path is "" if it does not exist.
type referencedFile struct {
	path, body string
	outside    bool // the file exists, but outside the root
	err        error
}

func (r *referenceResolver) addProblem(format string, args ...any) {
	r.problems = generic.AppendNew(r.problems, fmt.Sprintf(format, args...))
}

func (r *referenceResolver) load(reference string) referencedFile {
	f, known := r.files[reference]
	if known {
		return f
	}
	if f.path, f.err = disk.LookupFile(r.evalFile, reference); f.err != nil {
		f.outside = true
	} else if f.path == "" {
		f.err = fmt.Errorf("there is no file `%s` in the eval file's folder %s", reference, disk.SearchHint(r.evalFile))
	} else {
		f.body, f.err = disk.ReadWithin(disk.Root(r.evalFile), f.path)
		f.body = strings.ReplaceAll(f.body, "\r\n", "\n")
	}
	r.files[reference] = f
	return f
}

// fillGraders returns copies of graders with the prompts of each and of its members filled in, and why one of
// them must not be read, or "".
func (r *referenceResolver) fillGraders(graders []*rubric.Grader) (filled []*rubric.Grader, unreadable string) {
	filled = slices.Clone(graders)
	for i, g := range graders {
		f, done := r.graders[g]
		if !done {
			f = r.fillGrader(*g)
			r.graders[g] = f
		}
		filled[i], unreadable = f.Grader, cmp.Or(unreadable, f.unreadable)
	}
	return filled, unreadable
}

func (r *referenceResolver) fillGrader(g rubric.Grader) (f filledGrader) {
	f.Grader = &g
	g.Members, f.unreadable = r.fillGraders(g.Members)
	if g.Prompt != nil && g.Prompt.Path != "" {
		prompt := *g.Prompt
		f.unreadable = cmp.Or(f.unreadable, r.fillPrompt(g.Name, prompt.Path, &prompt.Text))
		g.Prompt = &prompt
	}
	if c := g.Combine; c != nil && c.Type == string(rubric.LLMJudge) && c.Prompt != "" && !strings.ContainsAny(c.Prompt, "\n{") {
		combine := *c
		f.unreadable = cmp.Or(f.unreadable, r.fillPrompt(g.Name, c.Prompt, &combine.Prompt))
		g.Combine = &combine
	}
	return f
}

// fillPrompt replaces a text that may be a path by the file's text.
func (r *referenceResolver) fillPrompt(grader, path string, text *string) (unreadable string) {
	switch f := r.load(path); {
	case f.outside, f.err != nil && f.path != "":
		return fmt.Sprintf("the prompt of evaluator `%s`: %s", grader, f.err)
	case f.err == nil:
		*text = f.body
	case rubric.LooksLikeFile(path):
		r.addProblem("evaluator `%s`: %s", grader, f.err)
	}
	return ""
}

// fillAsked fills in the messages for the target, and reports whether they have files.
func (r *referenceResolver) fillAsked(c *rubric.Case) (refers bool) {
	if input := r.fillMessages(c, c.Input); input != nil {
		c.Input, refers = input, true
		r.markGuidelines(input)
	}
	if c.Conversation == nil {
		return refers
	}
	talk := *c.Conversation
	talk.Turns = slices.Clone(talk.Turns)
	for i, turn := range talk.Turns {
		if input := r.fillMessages(c, turn.Input); input != nil {
			talk.Turns[i].Input, refers = input, true
		}
	}
	c.Conversation = &talk
	return refers
}

// markGuidelines marks the files in messages that are guidelines.
func (r *referenceResolver) markGuidelines(messages []rubric.Message) {
	for _, m := range messages {
		for i := range m.Parts {
			p := &m.Parts[i]
			if r.isGuideline != nil && p.IsFile() && !p.Image {
				p.Guideline = r.isGuideline(cmp.Or(p.Path, filepath.Join(disk.Root(r.evalFile), p.File))) // the question names a missing guideline, too
			}
		}
	}
}

// fillMessages returns messages with their files filled in, or nil if there are no files.
func (r *referenceResolver) fillMessages(c *rubric.Case, messages []rubric.Message) (filled []rubric.Message) {
	for i, m := range messages {
		parts := rubric.NewParts(m.Content)
		if !slices.ContainsFunc(parts, rubric.Part.IsFile) {
			continue
		}
		for j := range parts {
			if parts[j].IsFile() {
				r.fillPart(c, &parts[j])
			}
		}
		if filled == nil {
			filled = slices.Clone(messages)
		}
		filled[i].Parts = parts
	}
	return filled
}

// fillPart fills in a file. A file that is not text still has a path, which a command can receive.
func (r *referenceResolver) fillPart(c *rubric.Case, p *rubric.Part) {
	f := r.load(p.File)
	switch {
	case f.outside:
		c.Unreadable = cmp.Or(c.Unreadable, f.err.Error())
	case f.err != nil && !(p.Image && f.path != ""):
		r.addProblem("case `%s`: %s", c.ID, f.err)
	}
	p.Path, p.Named = f.path, p.File
	if r.absolutePaths {
		p.Named = f.path
	}
	if !p.Image {
		p.Text = f.body
	}
}

// contentsText returns the texts of a message, and of its files, without their paths.
func contentsText(m rubric.Message) string {
	var texts []string
	for _, p := range m.Parts {
		if text := strings.TrimSpace(p.Text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}
