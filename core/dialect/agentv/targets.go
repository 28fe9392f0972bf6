package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Target is one system under test as a targets file defines it.
type Target struct {
	Name        string
	Provider    string
	JudgeTarget string // "" for the target itself
	Workers     int    // 0: not said
	Command     *Command
	Response    string // of a mock
	DelayMS     float64
	Span        text.Span
}

// Command is how a cli target is asked. Durations are seconds, 0 where not said.
type Command struct {
	Template       string
	FilesFormat    string
	Dir            string
	TimeoutSeconds float64
	Health         *Healthcheck
}

// Healthcheck is what tells that a cli target is ready: a URL or a command.
type Healthcheck struct {
	URL            string
	Template       string
	Dir            string
	TimeoutSeconds float64
}

// ReadTargets reads a targets file. Every text in it may hold `${{ NAME }}`,
// which lookup fills in; missing are the names that it does not know.
func ReadTargets(tree *yaml.Tree, lookup func(string) (string, bool)) (targets []Target, missing []string) {
	r := &targetReader{lookup: lookup}
	for _, n := range tree.Root().Get("targets").List() {
		t := Target{
			Name: r.text(n, "name"), Provider: r.text(n, "provider"), JudgeTarget: r.text(n, "judge_target", "judgeTarget"),
			Workers: int(r.number(n, "workers")), Response: r.text(n, "response"), DelayMS: r.number(n, "delay_ms", "delayMs"), Span: n.Span,
		}
		if t.Provider == "cli" {
			t.Command = r.command(n)
		}
		if t.Name != "" && t.Provider != "" {
			targets = append(targets, t)
		}
	}
	slices.Sort(r.missing)
	return targets, slices.Compact(r.missing)
}

type targetReader struct {
	lookup  func(string) (string, bool)
	missing []string
}

func (r *targetReader) command(n *yaml.Node) *Command {
	c := &Command{
		Template:    r.text(n, "command_template", "commandTemplate"),
		FilesFormat: r.text(n, "files_format", "filesFormat", "attachments_format", "attachmentsFormat"),
		Dir:         r.text(n, "cwd"), TimeoutSeconds: r.number(n, "timeout_seconds", "timeoutSeconds"),
	}
	if health := n.Get("healthcheck"); health.IsMap() {
		c.Health = &Healthcheck{
			URL: r.text(health, "url"), Template: r.text(health, "command_template", "commandTemplate"),
			Dir: r.text(health, "cwd"), TimeoutSeconds: r.number(health, "timeout_seconds", "timeoutSeconds"),
		}
	}
	return c
}

func (r *targetReader) text(n *yaml.Node, keys ...string) string {
	value, _ := firstText(n, keys...).Str()
	expanded, missing := Expand(value, r.lookup)
	r.missing = append(r.missing, missing...)
	return expanded
}

// number is a number, or a text that is one once filled in.
func (r *targetReader) number(n *yaml.Node, keys ...string) float64 {
	if f := number(n, keys...); f != nil {
		return *f
	}
	f, _ := numberIn(r.text(n, keys...))
	return f
}

// Expand fills in each `${{ NAME }}` of a text; missing are the names that
// lookup does not know, which become nothing.
func Expand(text string, lookup func(string) (string, bool)) (expanded string, missing []string) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		name, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			out.WriteString(text)
			return out.String(), missing
		}
		name = strings.TrimSpace(name)
		value, known := lookup(name)
		if !known {
			missing = append(missing, name)
		}
		out.WriteString(before + value)
		text = after
	}
}
