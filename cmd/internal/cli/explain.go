package cli

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

var explainCommand = command{
	name:    "explain",
	args:    "[RULE]",
	summary: "Explain a rule: the reason, an example and the fix",
	example: "rubric explain unknown-key",
	values:  lint.RuleIDs,
	setup:   withoutFlags((*session).explain),
}

func (s *session) explain(args []string) error {
	width := s.width(s.stdout)
	if len(args) == 0 {
		const summaryColumn = 34
		var list strings.Builder
		for _, r := range lint.All() {
			fmt.Fprintf(&list, "%-24s %-8s %s\n", r.ID, r.DefaultSeverity(), report.Wrap(r.Summary, summaryColumn, summaryColumn, width))
		}
		return s.printText(list.String())
	}
	rule := lint.Find(args[0])
	if rule == nil {
		return fmt.Errorf("unknown rule `%s`%s", args[0], spell.DidYouMeanOr(args[0], lint.RuleIDs(), "`rubric explain` lists the rules"))
	}
	color := s.useColor(s.stdout)
	page := analysis.RulePage(rule, color)
	if width > 0 {
		page = layOutPage(page, width, color)
	}
	return s.printText(page)
}

// layOutPage fits the prose of a rule's page to a terminal.
func layOutPage(page string, width int, color bool) string {
	var out strings.Builder
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 { // a block of code
			out.WriteString("```" + part + "```")
			continue
		}
		paragraphs := strings.Split(part, "\n\n")
		for j, paragraph := range paragraphs {
			switch {
			case color && strings.HasPrefix(paragraph, "#"):
				paragraphs[j] = "\x1b[1m" + paragraph + "\x1b[0m"
			case strings.TrimSpace(paragraph) != "":
				paragraphs[j] = report.Wrap(paragraph, 0, 0, width)
			}
		}
		out.WriteString(strings.Join(paragraphs, "\n\n"))
	}
	return out.String()
}

var schemaCommand = command{
	name:    "schema",
	args:    "NAME",
	summary: "Print the JSON Schema of a file format or a result",
	list: func() string {
		return listNames(22, Schemas(), func(doc Schema) (name, summary string) { return doc.Name, doc.Title })
	},
	example: "rubric schema agentv > eval.schema.json",
	values:  schemaNames,
	setup:   withoutFlags((*session).schema),
}

func schemaNames() (names []string) {
	return generic.Map(Schemas(), func(doc Schema) string { return doc.Name })
}

func (s *session) schema(args []string) error {
	for _, doc := range Schemas() {
		if doc.Name == args[0] {
			return s.printText(string(doc.JSON()))
		}
	}
	return fmt.Errorf("unknown schema `%s`%s", args[0], spell.DidYouMeanOr(args[0], schemaNames(), "`rubric schema --help` lists the schemas"))
}

// A Schema is the JSON Schema of a kind of file, or of what a command prints as JSON.
type Schema struct {
	Name, Title string
	JSON        func() []byte
}

// Schemas lists the schemas of files and then of results.
func Schemas() (all []Schema) {
	for _, doc := range dialect.Schemas() {
		all = append(all, Schema{doc.Name, doc.Title, doc.JSON})
	}
	return append(all,
		resultSchema[report.Results]("result-run", "What rubric run --format json prints"),
		resultSchema[run.Record]("result-record", "A line of a .jsonl file of results"),
		resultSchema[run.Comparison]("result-compare", "What rubric runs compare --format json prints"),
		resultSchema[Comparisons]("result-comparisons", "What it prints for more than two runs"),
		resultSchema[calibrate.Report]("result-calibrate", "What rubric calibrate --format json prints"),
		resultSchema[Rescored]("result-rescore", "What rubric rescore --format json prints"))
}

// resultSchema follows from a Go type. It allows more keys than it names, which later versions may add.
func resultSchema[T any](name, title string) Schema {
	return Schema{name, title, func() []byte {
		w := schemaWriter{}
		root := w.structSchema(reflect.TypeFor[T]())
		root["$schema"], root["$id"], root["title"] = "http://json-schema.org/draft-07/schema#", dialect.SchemaID(name), title
		root["definitions"] = w
		text, _ := json.MarshalIndent(root, "", "  ") // maps and texts always encode
		return append(text, '\n')
	}}
}

// A schemaWriter holds the definitions of named structs.
type schemaWriter map[string]object

// typeSchema returns the schema of values of a type as encoding/json writes them.
func (w schemaWriter) typeSchema(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Implements(reflect.TypeFor[json.Marshaler]()), t.Kind() == reflect.Interface:
		return object{}
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Pointer:
		return object{"anyOf": []object{w.typeSchema(t.Elem()), {"type": "null"}}}
	case reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": w.typeSchema(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": w.typeSchema(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": w.typeSchema(t.Elem())}
	case reflect.Struct:
		name := strings.ReplaceAll(t.String(), ".", "-")
		if _, known := w[name]; !known {
			w[name] = nil // for a type that has itself as a part
			w[name] = w.structSchema(t)
		}
		return object{"$ref": "#/definitions/" + name}
	}
	return object{"type": "integer"}
}

// structSchema returns the schema of an object.
func (w schemaWriter) structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	var add func(reflect.Type, bool)
	add = func(t reflect.Type, optional bool) {
		for f := range t.Fields() {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "" && f.Type.Kind() == reflect.Pointer:
				add(f.Type.Elem(), true)
				continue
			case f.Anonymous && name == "":
				add(f.Type, optional)
				continue
			case !f.IsExported(), name == "-":
				continue
			case name == "":
				name = f.Name
			}
			properties[name] = w.typeSchema(f.Type)
			if !optional && !strings.Contains(options, "omit") {
				required = append(required, name)
			}
		}
	}
	add(t, false)
	return object{"type": "object", "properties": properties, "required": required}
}
