package adk

import (
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Level is what a fault costs in ADK.
type Level uint8

const (
	Silent  Level = iota // something is ignored, and nothing says so
	Skips                // a metric is not evaluated, which only a log says
	Refuses              // nothing is read
)

// LossKind tells losses apart for those who word them.
type LossKind string

const (
	NotJSON           LossKind = "not-json"       // no mapping or list came out
	TableMismatch     LossKind = "misfit"         // a value or key that the table has not; see [Refusals]
	BothConversations LossKind = "both-forms"     // conversation and conversation_scenario
	NoConversation    LossKind = "no-form"        // neither of the two
	CamelCase         LossKind = "camel-case"     // keys of an evalset itself in the style that only its cases may have
	UnknownMetric     LossKind = "unknown-metric" // Key is its name
	DuplicateID       LossKind = "duplicate-id"   // of a rubric; Key is the id, Other the first place
	DuplicateCase     LossKind = "duplicate-case" // of a case; Key is the id, Other the first place
	UntypedRubric     LossKind = "untyped"        // a rubric of a case or turn that no metric takes; Key is its id
	Informational     LossKind = "informational"  // a threshold on a figure that is only told; Key is the metric
)

// Loss is one thing that a file says and ADK does not do.
type Loss struct {
	Kind    LossKind
	Level   Level
	Span    text.Span
	Related text.Span // a second place, empty if there is none
	Key     string
}

// lossList are what one reading finds.
type lossList struct{ list []Loss }

func (l *lossList) addLoss(kind LossKind, level Level, n *yaml.Node, key string) *Loss {
	l.list = append(l.list, Loss{Kind: kind, Level: level, Span: n.Span, Key: key})
	return &l.list[len(l.list)-1]
}

// addMisfits adds what does not fit the table. ADK looks at some keys of a criterion only in
// the middle of a run; those cost the metric, all else the file.
func (l *lossList) addMisfits(found []Refusal) {
	for _, r := range found {
		level := Refuses
		if r.Field != nil && r.Field.OnInvalid == lostMetric || r.Field == nil && r.Owner != nil && r.Owner.OnUnknownKey == lostMetric {
			level = Skips
		}
		l.list = append(l.list, Loss{Kind: TableMismatch, Level: level, Span: r.Span, Key: r.Key})
	}
}

// IsRefused reports whether ADK reads nothing of the file.
func IsRefused(list []Loss) bool {
	for _, l := range list {
		if l.Level == Refuses {
			return true
		}
	}
	return false
}
