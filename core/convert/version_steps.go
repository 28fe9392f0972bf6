package convert

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

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
			case w.to == agentv.V4 && step.ArgsMatch == rubric.ArgsSuperset:
				one = append(one, entry{"args_match", "superset"})
			case w.to == agentv.V4 && step.ArgsMatch != rubric.ArgsExact:
				one = append(one, entry{"args_match", string(step.ArgsMatch)})
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
		if a.Value != nil {
			m = mapping{{"value", a.Value}}
		}
		return a.Type, m
	case a.Type == rubric.SkillTrigger:
		if a.Config["should_trigger"] == false {
			return a.Type, mapping{{"skill", skill}, {"should_trigger", false}}
		}
		return a.Type, mapping{{"skill", skill}}
	case isText && a.Type == rubric.SkillUsed:
		return rubric.SkillTrigger, mapping{{"skill", skill}}
	case isText && a.Type == rubric.NotSkillUsed:
		return rubric.SkillTrigger, mapping{{"skill", skill}, {"should_trigger", false}}
	case isText && a.Type == "trajectory:tool-used" && !strings.ContainsAny(skill, "*?"):
		return "tool-trajectory", mapping{{"mode", "any_order"}, {"minimums", mapping{{skill, 1}}}}
	}
	return "", nil
}
