package promptfoo

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
)

var plainTag = pattern.New(`\{\{\s*(\w+)\s*\}\}`)

// promptVariables returns the values that a prompt is filled in with: without a line break at their end, and
// with the variables in them replaced, in at most five rounds.
func promptVariables(vars map[string]any) map[string]any {
	out := maps.Clone(vars)
	for key, v := range out {
		if s, ok := v.(string); ok {
			out[key] = strings.TrimSuffix(s, "\n")
		}
	}
	keys := slices.Sorted(maps.Keys(out))
	for range 5 {
		changed := false
		for _, key := range keys {
			s, ok := out[key].(string)
			if !ok || len(s) > 1<<20 {
				continue
			}
			m := plainTag().FindStringSubmatchIndex(s)
			if m == nil {
				continue
			}
			if value, found := out[s[m[2]:m[3]]]; found {
				out[key] = s[:m[0]] + javascript.Text(value) + s[m[1]:]
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return out
}

// RenderPrompt fills in a prompt: its strings if it is JSON, else the variables that are templates, and then
// the prompt.
func RenderPrompt(prompt string, vars map[string]any) (string, error) {
	vars = promptVariables(vars)
	if json.Valid([]byte(prompt)) {
		return nunjucks.RenderJSON(prompt, vars)
	}
	filled := make(map[string]any, len(vars))
	for key, v := range vars {
		if s, ok := v.(string); ok {
			v = renderVariable(s, vars)
		}
		filled[key] = v
	}
	return nunjucks.Render(prompt, filled)
}

// renderVariable fills in a variable that is a template, unless it names a variable that does not exist.
func renderVariable(source string, vars map[string]any) string {
	t, missing := parseTemplate(source, vars)
	if t == nil || len(missing) > 0 {
		return source
	}
	filled, err := t.Render(vars)
	if err != nil || strings.Contains(filled, source) {
		return source
	}
	return filled
}

// parseTemplate reads a text with tags. It returns nil for any other, and the variables that the template needs
// and vars does not have.
func parseTemplate(source string, vars map[string]any) (t *nunjucks.Template, missing []string) {
	if !nunjucks.IsTemplate(source) {
		return nil, nil
	}
	t, err := nunjucks.Parse(source)
	if err != nil {
		return nil, nil
	}
	return t, slices.DeleteFunc(t.Names(), func(name string) bool { _, found := vars[name]; return found })
}

// readVariables returns the variables with the contents of the files that they name, and the environment.
func (l *loader) readVariables(vars map[string]any) map[string]any {
	out := maps.Clone(vars)
	for key, v := range vars {
		reference, _ := v.(string)
		name, body, found := l.readReference(reference)
		switch end := path.Ext(name); {
		case !found:
		case strings.EqualFold(end, ".yaml"), strings.EqualFold(end, ".yml"):
			out[key] = javascript.JSON(toValue(parseYAML(body).Root()))
		default:
			out[key] = strings.TrimSpace(body)
		}
	}
	if _, found := out["env"]; !found && len(l.env) > 0 {
		out["env"] = l.env
	}
	return out
}
