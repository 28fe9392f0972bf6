package conformance

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

var (
	placeholder  = pattern.New(`\{([A-Z_]+)\}`)
	placeholders = []string{"PROMPT", "GUIDELINES", "EVAL_ID", "ATTEMPT", "FILES", "OUTPUT_FILE"}
)

// command checks a target that is a command.
func (f *findings) command(n *yaml.Node, path string) {
	f.template(n, path)
	if health := ownValue(n, "healthcheck"); health.IsMap() {
		f.healthcheck(health, path+".healthcheck")
	} else if health != nil {
		f.add("healthcheck_not_object", path+".healthcheck")
	}
}

func (f *findings) healthcheck(n *yaml.Node, path string) {
	kind, _ := ownValue(n, "type").Str()
	if kind != "http" && kind != "command" {
		f.add("healthcheck_type_invalid", path+".type")
		return
	}
	if timeout := ownValueOr(n, "timeout_seconds", "timeoutSeconds"); timeout != nil && !isPositive(timeout) {
		f.add("healthcheck_timeout_invalid", path+".timeoutSeconds")
	}
	if kind == "http" {
		if isBlank(ownValue(n, "url")) {
			f.add("healthcheck_url_missing", path+".url")
		}
		return
	}
	f.template(n, path)
	if cwd := ownValue(n, "cwd"); cwd != nil {
		if _, ok := cwd.Str(); !ok {
			f.add("healthcheck_cwd_not_string", path+".cwd")
		}
	}
}

// isPositive reports whether n is a finite number above zero, or what JavaScript
// converts to one: true, and a number in quotes.
func isPositive(n *yaml.Node) bool {
	if yes, ok := n.Bool(); ok {
		return yes
	}
	number, ok := n.Number()
	if text, quoted := n.Str(); quoted {
		var err error
		number, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
		ok = err == nil
	}
	return ok && number > 0 && !math.IsInf(number, 0)
}

// template checks a command's text and its placeholders. However the key is
// written, findings name it in camel case.
func (f *findings) template(n *yaml.Node, path string) {
	template := ownValueOr(n, "command_template", "commandTemplate")
	path += ".commandTemplate"
	if isBlank(template) {
		f.add("command_template_missing", path)
		return
	}
	text, _ := template.Str()
	for _, m := range placeholder().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(placeholders, m[1]) {
			f.add("placeholder_unknown", path)
		}
	}
}
