package assertion

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
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
	case map[string]any, []any:
		return grade.DecodeExact([]byte(javascript.JSON(v)))
	case string:
		tree := yaml.Parse(text.New("", v))
		if len(tree.Problems) > 0 {
			return nil, refused("its JSON Schema is not YAML: %s", tree.Problems[0].Message)
		}
		return tree.Root().Exact(), nil
	}
	if javascript.IsTrue(c.Value) {
		return nil, refused("its `value` is not a JSON Schema")
	}
	return nil, nil
}

// validate returns the faults of a document, or "".
func (c *call) validate(schema, document any) (string, error) {
	switch schema {
	case nil, true:
		return "", nil
	case false:
		return "its JSON Schema allows nothing", nil
	}
	faults, err := c.ports.Validate(schema, document)
	if err != nil {
		err = refusal{err}
	}
	return strings.Join(faults, "; "), err
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
	} else {
		for _, object := range ExtractObjects(c.output) {
			documents = append(documents, object.Exact())
		}
	}
	if len(documents) == 0 {
		return c.holds(false, "the output contains no JSON object")
	}
	schema, err := c.schema()
	fault := ""
	for _, document := range documents {
		if err == nil {
			fault, err = c.validate(schema, document)
		}
		if fault == "" {
			break
		}
	}
	if err != nil {
		return result{}, err
	}
	return c.holds(fault == "", "the JSON of the output is%s valid: %s", c.not(), cmp.Or(fault, "nothing is wrong with it"))
}
