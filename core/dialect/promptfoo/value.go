package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func parseYAML(body string) *yaml.Tree { return yaml.Parse(text.New("", body)) }

// toValue returns a node as promptfoo reads it: a date that is not quoted becomes an empty mapping.
func toValue(n *yaml.Node) any {
	return n.AnyWith(func(scalar *yaml.Node) any {
		if IsDate(scalar) {
			return map[string]any{}
		}
		return scalar.Any()
	})
}

var datePattern = pattern.New(`^\d{4}-\d\d?-\d\d?([Tt \t]+\d\d?:\d\d:\d\d(\.\d*)?[ \t]*(Z|[-+]\d\d?(:\d\d)?)?)?$`)

// IsDate reports whether a scalar is a date without quotes.
func IsDate(n *yaml.Node) bool {
	return n.Kind == yaml.Scalar && n.Style == yaml.Plain && !n.Tagged && datePattern().MatchString(n.Value)
}

// LosesDigits reports whether promptfoo prints a number otherwise than it is written, such as 1.10.
func LosesDigits(n *yaml.Node) bool {
	number, isNumber := n.Number()
	if !isNumber || n.Kind != yaml.Scalar || n.Style != yaml.Plain || n.Tagged {
		return false
	}
	return javascript.Text(number) != n.Value
}

// Expands reports whether a list of values stands for several tests.
func Expands(n *yaml.Node) bool {
	items := n.List()
	return len(items) > 0 && isText(items[0])
}

// IsMixed reports whether a list of values has texts and other values.
func IsMixed(n *yaml.Node) bool {
	isOther := func(n *yaml.Node) bool { return !isText(n) }
	return n.IsSeq() && slices.ContainsFunc(n.List(), isText) && slices.ContainsFunc(n.List(), isOther)
}

func isText(n *yaml.Node) bool { _, ok := n.Str(); return ok }

func isReference(n *yaml.Node) bool {
	return n.Kind == yaml.Mapping && len(n.Pairs) == 1 && n.Pairs[0].Key.Value == "$ref"
}

func hasReference(root *yaml.Node) (found bool) {
	yaml.Walk(root, func(n *yaml.Node) bool { found = found || isReference(n); return !found })
	return found
}

// resolveReferences makes mappings with only a `$ref` within the file aliases of what they refer to.
func resolveReferences(t *yaml.Tree) {
	root := t.Root()
	yaml.Walk(root, func(n *yaml.Node) bool {
		if !isReference(n) {
			return true
		}
		reference, _ := n.Pairs[0].Value.Str()
		target := lookup(root, reference)
		for at := n; at != nil; at = at.Parent {
			if at == target {
				return false // it would contain itself
			}
		}
		if target != nil {
			n.Kind, n.Target, n.Value = yaml.Alias, target, reference
			return false
		}
		return true
	})
}

// lookup returns the value at a JSON pointer such as #/a/b, or nil.
func lookup(root *yaml.Node, reference string) *yaml.Node {
	pointer, ok := strings.CutPrefix(reference, "#/")
	if !ok {
		return nil
	}
	n := root
	for part := range strings.SplitSeq(pointer, "/") {
		n = n.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
	}
	return n
}
