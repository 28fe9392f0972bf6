// Package convert rewrites the cases of one dialect as files of another: AgentV as ADK and ADK as
// AgentV. It lists what the other dialect cannot express or would score differently.
//
// It only builds text. It opens and writes no file, and never changes its input.
package convert

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// A Conversion is the result of converting one file.
type Conversion struct {
	Files  []File `json:"files"` // the file with the cases comes first; never empty
	Losses []Loss `json:"losses"`
}

// Writers convert a suite to other dialects than AgentV.
var Writers = map[string]func(suite *rubric.Suite, name string) (Conversion, error){adk.Name: ToADK}

// A File is a new file to write.
type File struct {
	Name string `json:"name"` // base name
	Text string `json:"text"`
}

// A Loss is something that the target dialect cannot express or would score differently.
type Loss struct {
	Message string   `json:"what"`            // a sentence
	Cases   []string `json:"cases,omitempty"` // ids of the affected cases; empty if the whole file is affected
}

// String returns the loss on one line, with at most three of its cases.
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

// lossList collects losses and merges the cases of equal messages.
type lossList struct {
	all   []Loss
	index map[string]int
}

// addLoss notes a loss of the case id, or of the whole file if id is "".
func (l *lossList) addLoss(id, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if l.index == nil {
		l.index = map[string]int{}
	}
	i, known := l.index[message]
	if !known {
		i = len(l.all)
		l.index[message] = i
		l.all = append(l.all, Loss{Message: message})
	}
	if cases := l.all[i].Cases; id != "" && (len(cases) == 0 || cases[len(cases)-1] != id) {
		l.all[i].Cases = append(cases, id)
	}
}

// noteTrials notes that a case does not say how often it is run.
func (l *lossList) noteTrials(c *rubric.Case) {
	if c.Trials != nil {
		l.addLoss(c.ID, "a case does not say how often it runs: its %d runs become 1", c.Trials.Count)
	}
}

// noteGoal notes that a judge of a case's criteria does not see its expected outcome.
func (l *lossList) noteGoal(c *rubric.Case) {
	if c.ExpectedOutcome != "" {
		l.addLoss(c.ID, "judges see no expected outcome beside criteria: it is left out")
	}
}

func (l *lossList) losses() []Loss { return slices.Clip(append([]Loss{}, l.all...)) }

// Stem returns the base name of a file without its eval file extension. Converted files are named
// after it.
func Stem(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	for _, ending := range []string{".evalset.json", ".test.json", ".eval.yaml", ".eval.yml"} {
		if short, cut := strings.CutSuffix(name, ending); cut && short != "" {
			return short
		}
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// RubricInAgentV describes how AgentV would score an ADK rubric that the metric name uses.
func RubricInAgentV(name string) string {
	if name != metric.ResponseQuality {
		return "in AgentV: no counterpart, because its judge sees only the final answer"
	}
	return fmt.Sprintf("in AgentV: a criterion of weight 1, and a gate unless `required: false`; its case passes from %v", score.PassAt)
}

// MetricInAgentV describes the AgentV counterpart of a metric.
func MetricInAgentV(name string) string {
	switch name {
	case metric.ResponseQuality:
		return RubricInAgentV(name)
	case metric.ToolTrajectory:
		return "in AgentV: `tool_trajectory`, scored by the share of matching calls; only listed arguments are compared"
	case metric.FinalResponseMatch:
		return "in AgentV: `llm_judge` without a rubric, scored 0 to 1"
	case metric.Safety:
		return "in AgentV: `llm_judge` with a rubric of the six harms, each a gate"
	}
	return "in AgentV: no counterpart"
}

// entry is a key with its value: a string, a mapping, a []mapping or any other JSON value, which is
// written in flow style.
type entry struct {
	key   string
	value any
}

type mapping []entry

// addIf adds an entry if a condition holds.
func (m *mapping) addIf(condition bool, key string, value any) {
	if condition {
		*m = append(*m, entry{key, value})
	}
}

// addNumber adds an entry for a number that is set.
func (m *mapping) addNumber(key string, number *float64) {
	if number != nil {
		*m = append(*m, entry{key, *number})
	}
}

// writeBlock writes m in block style, indented by columns.
func (m mapping) writeBlock(b *strings.Builder, columns int) {
	for i, e := range m {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columns))
		}
		b.WriteString(scalar.Format(e.key, scalar.Key) + ":")
		switch v := e.value.(type) {
		case string:
			writeString(b, v, columns+2)
		case mapping:
			b.WriteString("\n" + strings.Repeat(" ", columns+2))
			v.writeBlock(b, columns+2)
		case []mapping:
			b.WriteString("\n")
			for _, item := range v {
				b.WriteString(strings.Repeat(" ", columns+2) + "- ")
				item.writeBlock(b, columns+4)
			}
		default:
			fmt.Fprintf(b, " %s\n", flowJSON(v))
		}
	}
}

// writeString writes a string value. It uses a literal block for multi-line text that a block
// reproduces exactly.
func writeString(b *strings.Builder, text string, columns int) {
	if !strings.Contains(text, "\n") || strings.ContainsAny(text, "\r\t\u0085\u2028\u2029\ufeff\x00") || text != strings.TrimSpace(text) {
		b.WriteString(" " + scalar.Format(text, scalar.Value) + "\n")
		return
	}
	b.WriteString(" |-\n")
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			b.WriteString(strings.Repeat(" ", columns) + line)
		}
		b.WriteString("\n")
	}
}

// flowJSON returns value as JSON, which is valid YAML flow style.
func flowJSON(value any) string {
	encoded, err := text.JSON(value)
	if err != nil { // not reachable for values read from a file
		return "null"
	}
	return string(encoded)
}

// trajectory returns the settings of expected tool calls, or nil if the version has no such mode.
func (w *versionWriter) trajectory(c *rubric.Case, g *rubric.Grader) mapping {
	t := g.Steps
	if w.to == agentv.Seed && !slices.Contains([]string{"any_order", "in_order", "exact"}, t.Mode) {
		return nil
	}
	m := mapping{{"mode", t.Mode}}
	if t.Mode == "any_order" {
		minimums := mapping{}
		for _, least := range t.Minimums {
			minimums = append(minimums, entry{least.Tool, least.Count})
		}
		return append(m, entry{"minimums", minimums})
	}
	var steps []mapping
	for _, step := range t.Expected {
		one := mapping{{"tool", step.Tool}}
		if step.Args != nil {
			one = append(one, entry{"args", step.Args})
			switch {
			case w.to == agentv.V4 && step.ArgsMatch == rubric.ArgsListed:
				one = append(one, entry{"args_match", step.ArgsFields})
			case w.to == agentv.V4 && step.ArgsMatch != rubric.ArgsExact:
				one = append(one, entry{"args_match", cmp.Or(string(step.ArgsMatch), "superset")})
			case w.to == agentv.Seed && step.ArgsMatch == rubric.ArgsIgnore:
				one = one[:1]
			case w.to == agentv.Seed && step.ArgsMatch != rubric.ArgsSuperset:
				w.addLoss(c.ID, "arguments of tools are compared as a subset: `args_match: %s` is left out", step.ArgsMatch)
			}
		}
		if step.MaxDurationMS != nil && !t.Untimed {
			if w.to == agentv.Seed {
				w.addLoss(c.ID, "steps have no time limits: `max_duration_ms` is left out")
			} else {
				one = append(one, entry{"max_duration_ms", *step.MaxDurationMS})
			}
		}
		steps = append(steps, one)
	}
	return append(m, entry{"expected", steps})
}

// trajectorySteps returns the assertions of the newest version for expected tool calls: one for the
// sequence or for each tool, and one for the arguments of each step.
func (w *versionWriter) trajectorySteps(c *rubric.Case, g *rubric.Grader) (all []mapping) {
	add := func(typ string, value mapping) {
		m := mapping{{"metric", g.Name}, {"type", "trajectory:" + typ}, {"value", value}}
		if len(all) > 0 {
			m[0].value = g.Name + "-" + value[0].value.(string)
			if typ == "tool-args-match" {
				m[0].value = m[0].value.(string) + "-args"
			}
		}
		all = append(all, append(m, w.terms(c, g)...))
	}
	t := g.Steps
	switch t.Mode {
	case "any_order":
		for _, least := range t.Minimums {
			add("tool-used", mapping{{"name", least.Tool}, {"min", least.Count}})
		}
	case "in_order", "exact":
		steps := []string{}
		for _, step := range t.Expected {
			steps = append(steps, step.Tool)
		}
		add("tool-sequence", mapping{{"mode", t.Mode}, {"steps", steps}})
		for _, step := range t.Expected {
			if step.MaxDurationMS != nil && !t.Untimed {
				w.addLoss(c.ID, "steps have no time limits: `max_duration_ms` is left out")
			}
			if step.Args == nil || step.ArgsMatch == rubric.ArgsIgnore {
				continue
			}
			mode := "partial"
			switch step.ArgsMatch {
			case rubric.ArgsExact:
				mode = "exact"
			case rubric.ArgsSubset, rubric.ArgsListed:
				w.addLoss(c.ID, "arguments are compared in part or exactly: `args_match: %s` becomes `partial`", step.ArgsMatch)
			}
			add("tool-args-match", mapping{{"name", step.Tool}, {"args", step.Args}, {"mode", mode}})
		}
	default:
		return w.leaveOut(c, "there is no mode `"+t.Mode+"`", g)
	}
	w.addLoss(c.ID, "a trajectory passes or fails as a whole, and each of its parts is an assertion of its own: its score was the share of them")
	return all
}

// traceSteps returns the type and the settings of a check of the trace, or "" if the version has none
// like it.
func (w *versionWriter) traceSteps(a *rubric.Assertion) (typ string, m mapping) {
	skill, isText := a.Value.(string)
	switch {
	case w.to == agentv.Head && a.Type == rubric.SkillTrigger:
		typ = rubric.SkillUsed
		if a.Config["should_trigger"] == false {
			typ = rubric.NotSkillUsed
		}
		return typ, mapping{{"value", skill}}
	case w.to == agentv.Head:
		m.addIf(a.Value != nil, "value", a.Value)
		return a.Type, m
	case a.Type == rubric.SkillTrigger, isText && (a.Type == rubric.SkillUsed || a.Type == rubric.NotSkillUsed):
		m = mapping{{"skill", skill}}
		m.addIf(a.Type == rubric.NotSkillUsed || a.Type == rubric.SkillTrigger && a.Config["should_trigger"] == false, "should_trigger", false)
		return rubric.SkillTrigger, m
	case isText && a.Type == "trajectory:tool-used" && !strings.ContainsAny(skill, "*?"):
		return "tool-trajectory", mapping{{"mode", "any_order"}, {"minimums", mapping{{skill, 1}}}}
	}
	return "", nil
}
