package assertion

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// maxObject is how long an object in a reply may be, in bytes.
const maxObject = 100_000

// ExtractObjects returns the objects that promptfoo finds in a judge's reply, in order. At each brace
// it takes the shortest balanced piece, whatever quotes say, and reads it as YAML.
func ExtractObjects(reply string) (objects []*yaml.Node) {
	for i := 0; i < len(reply); i++ {
		if reply[i] != '{' {
			continue
		}
		open := 1
		for j := i + 1; j < min(i+maxObject, len(reply)) && open > 0; {
			switch reply[j] {
			case '{':
				open++
			case '}':
				open--
			}
			if j++; open > 0 && j < min(i+maxObject, len(reply)) {
				continue
			}
			if object := readObject(reply[i:j] + strings.Repeat("}", open)); object != nil {
				objects = append(objects, object)
				i = j - 1
			}
			break
		}
	}
	return objects
}

// readObject reads a mapping, with comments that begin with two slashes.
func readObject(piece string) *yaml.Node {
	lines := strings.Split(piece, "\n")
	for i, line := range lines {
		lines[i] = replaceSlashes(line)
	}
	tree := yaml.Parse(text.New("", strings.Join(lines, "\n")))
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
	hasCollectionKey := false
	yaml.Walk(root, func(n *yaml.Node) bool {
		for _, p := range n.Pairs {
			hasCollectionKey = hasCollectionKey || p.Key.Kind == yaml.Mapping || p.Key.Kind == yaml.Sequence
		}
		return !hasCollectionKey
	})
	if hasCollectionKey {
		return nil
	}
	return root
}

// replaceSlashes makes a comment of YAML of two slashes outside quotes and addresses.
func replaceSlashes(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case quote != 0:
			if b == quote && line[i-1] != '\\' {
				quote = 0
			}
		case b == '"', b == '\'' && (i == 0 || !unicode.IsLetter(rune(line[i-1]))):
			quote = b
		case strings.HasPrefix(line[i:], "//"):
			word := line[strings.LastIndexFunc(line[:i], unicode.IsSpace)+1 : i]
			if !strings.HasSuffix(word, ":") || word == ":" {
				return line[:i] + "#" + strings.TrimLeft(line[i:], "/")
			}
		}
	}
	return line
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
		return exact(encode(v))
	}
	if nunjucks.IsTrue(c.Value) {
		return nil, refused("its `value` is not a JSON Schema")
	}
	return nil, nil
}

// exact decodes JSON with its numbers as written.
func exact(document string) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(document)))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, refused("there is text after its end")
	}
	return value, nil
}

// validate returns the first fault of a document, or "".
func (c *call) validate(schema, document any) (string, error) {
	if c.ports.Schema == nil {
		return "", refused("its JSON Schema cannot be applied here; use `rubric run`")
	}
	switch schema {
	case true:
		return "", nil
	case false:
		return "its JSON Schema allows nothing", nil
	}
	faults, err := c.ports.Schema(schema, document)
	if err != nil {
		return "", refused("its JSON Schema cannot be used: %s", err)
	}
	return strings.Join(faults, "; "), nil
}

func (c *call) isJSON() (result, error) {
	document, err := exact(c.output)
	if err != nil {
		return verdict(c.Inverse, "the output is not JSON: %s", err)
	}
	schema, err := c.schema()
	if err != nil {
		return result{}, err
	}
	if schema == nil {
		return verdict(!c.Inverse, "the output is JSON")
	}
	fault, err := c.validate(schema, document)
	if err != nil {
		return result{}, err
	}
	if fault == "" {
		return verdict(!c.Inverse, "the output is JSON and valid for the schema")
	}
	return verdict(c.Inverse, "the output is not valid for the schema: %s", fault)
}

func (c *call) containsJSON() (result, error) {
	objects := ExtractObjects(c.output)
	if len(objects) == 0 {
		return verdict(c.Inverse, "the output contains no JSON object")
	}
	schema, err := c.schema()
	if err != nil {
		return result{}, err
	}
	if schema == nil {
		return verdict(!c.Inverse, "the output contains a JSON object")
	}
	fault := ""
	for _, object := range objects {
		if fault, err = c.validate(schema, object.Exact()); err != nil {
			return result{}, err
		}
		if fault == "" {
			return verdict(!c.Inverse, "an object in the output is valid for the schema")
		}
	}
	return verdict(c.Inverse, "no object in the output is valid for the schema: %s", fault)
}
