package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// maxObject is how long an object in a reply may be, in bytes.
const maxObject = 100_000

// ExtractObjects returns the objects that promptfoo finds in a judge's reply, in order. At each brace
// it takes the shortest balanced piece, whatever quotes say, and reads it as YAML.
func ExtractObjects(reply string) (objects []*yaml.Node) {
	for i := strings.IndexByte(reply, '{'); i >= 0 && i < len(reply); i++ {
		if reply[i] != '{' {
			continue
		}
		end, open := i, 0
		for end < min(i+maxObject, len(reply)) && (end == i || open > 0) {
			switch reply[end] {
			case '{':
				open++
			case '}':
				open--
			}
			end++
		}
		if object := readObject(reply[i:end] + strings.Repeat("}", open)); object != nil {
			objects = append(objects, object)
			i = end - 1
		}
	}
	return objects
}

// quoteOrComment finds quoted texts, and comments of two slashes outside them that are no part of an address.
var quoteOrComment = pattern.New(`"(?:[^"\\\n]|\\.)*"|\w'|'[^'\n]*'|(?:^|[^:])//.*`)

// readObject reads a mapping, with comments that begin with two slashes.
func readObject(piece string) *yaml.Node {
	piece = quoteOrComment().ReplaceAllStringFunc(piece, func(found string) string {
		before, comment, isComment := strings.Cut(found, "//")
		if !isComment || strings.ContainsAny(found[:1], `"'`) {
			return found
		}
		return before + " #" + comment
	})
	tree := yaml.Parse(text.New("", piece))
	for _, p := range tree.Problems {
		switch p.Kind {
		case yaml.DuplicateKey, yaml.EmptyKey, yaml.TabProblem, yaml.IndentProblem, yaml.LineBreakProblem:
		default:
			return nil
		}
	}
	root := tree.Root()
	if len(tree.Docs) != 1 || !root.IsMap() {
		return nil
	}
	for _, p := range root.Pairs {
		if p.Key.Kind != yaml.Scalar {
			return nil
		}
	}
	return root
}

// schema returns the JSON Schema of the assertion, with numbers as json.Number, or nil.
func (c *call) schema() (any, error) {
	switch v := c.Value.(type) {
	case string:
		if v == "" {
			return nil, nil
		}
		tree := yaml.Parse(text.New("", v))
		if len(tree.Problems) > 0 {
			return nil, refused("its JSON Schema is not YAML: %s", tree.Problems[0].Message)
		}
		return tree.Root().Exact(), nil
	case map[string]any, []any:
		return grade.DecodeExact([]byte(nunjucks.Encode(v)))
	}
	if nunjucks.IsTrue(c.Value) {
		return nil, refused("its `value` is not a JSON Schema")
	}
	return nil, nil
}

// validate returns the faults of a document, or "".
func (c *call) validate(schema, document any) (string, error) {
	switch {
	case schema == nil, schema == true:
		return "", nil
	case schema == false:
		return "its JSON Schema allows nothing", nil
	case c.ports.Schema == nil:
		return "", refused("its JSON Schema cannot be applied here; use `rubric run`")
	}
	faults, err := c.ports.Schema(schema, document)
	if err != nil {
		return "", refused("its JSON Schema cannot be used: %s", err)
	}
	return strings.Join(faults, "; "), nil
}

// json checks that the output is JSON, or has an object of JSON, that is valid for the schema.
func (c *call) json() (result, error) {
	var documents []any
	if c.Type == "is-json" {
		document, err := grade.DecodeExact([]byte(c.output))
		if err != nil {
			return c.holds(false, "the output is not JSON: %s", err)
		}
		documents = append(documents, document)
	}
	if c.Type == "contains-json" {
		for _, object := range ExtractObjects(c.output) {
			documents = append(documents, object.Exact())
		}
		if len(documents) == 0 {
			return c.holds(false, "the output contains no JSON object")
		}
	}
	schema, err := c.schema()
	if err != nil {
		return result{}, err
	}
	fault := ""
	for _, document := range documents {
		if fault, err = c.validate(schema, document); err != nil {
			return result{}, err
		}
		if fault == "" {
			return c.holds(true, "the output has JSON, which is valid for the schema if there is one")
		}
	}
	return c.holds(false, "the JSON of the output is not valid for the schema: %s", fault)
}
