package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
)

// Conversion is what became of a file.
type Conversion struct {
	Files  []File `json:"files"` // the one with the cases first; never empty
	Losses []Loss `json:"losses"`
}

// File is a new file.
type File struct {
	Name string `json:"name"` // without a folder
	Text string `json:"text"`
}

// Loss is something that the other side cannot say, or would do otherwise.
type Loss struct {
	Message string   `json:"what"`            // a sentence
	Cases   []string `json:"cases,omitempty"` // whose it is; none: the file's
}

// String is the loss in one line, with a few of its cases.
func (l Loss) String() string {
	const named = 3
	switch {
	case len(l.Cases) == 0:
		return l.Message
	case len(l.Cases) > named:
		return fmt.Sprintf("%s (%s and %d more)", l.Message, strings.Join(diag.Backtick(l.Cases[:named]), ", "), len(l.Cases)-named)
	}
	return fmt.Sprintf("%s (%s)", l.Message, diag.JoinList(diag.Backtick(l.Cases), "and"))
}

// lossList gathers losses, each told once with all its cases.
type lossList struct {
	all   []Loss
	index map[string]int
}

// addLoss notes a loss of a case, or of the file if id is "".
func (l *lossList) addLoss(id, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if l.index == nil {
		l.index = map[string]int{}
	}
	i, known := l.index[what]
	if !known {
		i = len(l.all)
		l.index[what] = i
		l.all = append(l.all, Loss{Message: what})
	}
	if cases := l.all[i].Cases; id != "" && (len(cases) == 0 || cases[len(cases)-1] != id) {
		l.all[i].Cases = append(cases, id)
	}
}

func (l *lossList) losses() []Loss { return slices.Clip(append([]Loss{}, l.all...)) }
