package assertion

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
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
	for i := strings.IndexByte(reply, '{'); i >= 0 && i < len(reply)-1; i++ { // promptfoo does not try a brace at the end
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
	isFatal := func(p yaml.Problem) bool { return !slices.Contains(harmless, p.Kind) }
	isComplex := func(p *yaml.Pair) bool { return p.Key.Kind != yaml.Scalar }
	root := tree.Root()
	if len(tree.Docs) != 1 || !root.IsMap() || slices.ContainsFunc(tree.Problems, isFatal) || slices.ContainsFunc(root.Pairs, isComplex) {
		return nil
	}
	return root
}

// harmless are the problems of YAML with which an object is read all the same.
var harmless = []yaml.ProblemKind{yaml.DuplicateKey, yaml.EmptyKey, yaml.TabProblem, yaml.IndentProblem, yaml.LineBreakProblem}

// schema returns the JSON Schema of the assertion, or nil.
func (c *call) schema() (any, error) {
	switch v := c.Value.(type) {
	case map[string]any, []any:
		return v, nil
	case string:
		tree := yaml.Parse(text.New("", v))
		if len(tree.Problems) > 0 {
			return nil, refused("its JSON Schema is not YAML: %s", tree.Problems[0].Message)
		}
		return tree.Root().Any(), nil
	}
	if javascript.IsTrue(c.Value) {
		return nil, refused("its `value` is not a JSON Schema")
	}
	return nil, nil
}

// validate returns the faults of a document by a JSON Schema, or "".
func (c *call) validate(schema, document any) (string, error) {
	if schema == nil {
		return "", nil
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
	return c.holds(fault == "", "the JSON of the output is [not] valid: %s", cmp.Or(fault, "nothing is wrong with it"))
}

// xml checks that the output is an XML document, or has elements of XML, with all required elements.
func (c *call) xml() (result, error) {
	value, isMap := c.Fields["value"].(map[string]any)
	required, isList := names(c.Value)
	if isMap {
		required, isList = names(value["requiredElements"])
	}
	if _, hasValue := c.Fields["value"]; !isList && hasValue && !(isMap && len(value) == 0) {
		return result{}, refused("its `value` is not a text, a list or an object with `requiredElements`")
	}
	paths, rest, err := readElement(c.output)
	if c.Type == "contains-xml" {
		if paths, err = findElements(c.output), nil; len(paths) == 0 {
			err = errors.New("it has no element")
		}
	} else if _, _, after := readElement(rest); err == nil && after != io.EOF {
		err = errors.New("there is something after its root")
	}
	if err != nil {
		return c.holds(false, "the output has no XML: %s", err)
	}
	isThere := func(path string) bool { return paths[path] }
	missing := slices.DeleteFunc(required, isThere)
	return c.holds(len(missing) == 0, "the elements `%s` are [not] in the XML of the output", strings.Join(missing, "`, `"))
}

// deepest is how deep in a document elements are looked for.
const deepest = 50

// readElement reads the first element of an XML text: the paths in it, and the text after it. io.EOF means none.
func readElement(text string) (paths map[string]bool, rest string, err error) {
	d := xml.NewDecoder(strings.NewReader(text))
	paths = map[string]bool{}
	var path []string
	for {
		token, err := d.RawToken()
		switch {
		case err == io.EOF && len(path) > 0:
			return nil, "", io.ErrUnexpectedEOF
		case err != nil:
			return nil, "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if path = append(path, fullName(t.Name)); len(path) > deepest {
				continue
			}
			here := strings.Join(path, ".")
			paths[here] = true
			for _, a := range t.Attr {
				paths[here+".@_"+fullName(a.Name)] = true
			}
		case xml.EndElement:
			last := len(path) - 1
			if last < 0 || path[last] != fullName(t.Name) {
				return nil, "", fmt.Errorf("`</%s>` closes nothing", fullName(t.Name))
			}
			if path = path[:last]; last == 0 {
				return paths, text[d.InputOffset():], nil
			}
		case xml.CharData:
			if len(path) == 0 && strings.TrimSpace(string(t)) != "" {
				return nil, "", errors.New("there is text outside the root")
			}
		}
	}
}

func fullName(n xml.Name) string { return strings.TrimPrefix(n.Space+":"+n.Local, ":") }

var tagStart = pattern.New(`<[\p{L}_:]`)

// findElements returns the paths of all elements of XML in a text.
func findElements(text string) map[string]bool {
	paths := map[string]bool{}
	for at := tagStart().FindStringIndex(text); at != nil; at = tagStart().FindStringIndex(text) {
		found, rest, err := readElement(text[at[0]:])
		if maps.Copy(paths, found); err != nil {
			rest = text[at[0]+1:]
		}
		text = rest
	}
	return paths
}

// htmlSigns: a doctype, a common element, or one that is closed, closes itself or has an attribute.
var htmlSigns = pattern.New(`(?is)<!doctype\s+html|<(?:html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|script|style|link|meta|br|hr)\b|` +
	`<[a-z][a-z0-9-]*(?:\s[^>]*)?>.*</[a-z][a-z0-9-]*\s*>|<[a-z][a-z0-9-]*\s+/>|<[a-z][^>]*\s[a-z-]+=\s*["']`)

func (c *call) containsHTML() (result, error) {
	return c.holds(htmlSigns().MatchString(c.output), "the output does [not] contain HTML")
}

var elements = strings.Fields("html head body title base link meta style article section nav aside h1 h2 h3 h4 h5 h6 header footer address " +
	"p hr pre blockquote ol ul li dl dt dd figure figcaption main div a em strong small s cite q dfn abbr ruby rt rp data time code var samp kbd " +
	"sub sup i b u mark bdi bdo span br wbr img iframe embed object param picture source video audio track map area svg math script noscript " +
	"canvas ins del table caption colgroup col tbody thead tfoot tr td th form label input button select datalist optgroup option textarea " +
	"output progress meter fieldset legend details summary dialog menu slot template")

// rawText are elements whose content is no markup.
var rawText = pattern.New(`(?is)(<(?:script|style|textarea)\b[^>]*>).*?(</(?:script|style|textarea)\s*>)`)

// isHTML checks that the output has an element of HTML and no text outside its elements.
func (c *call) isHTML() (result, error) {
	markup := strings.TrimSpace(c.output)
	d := xml.NewDecoder(strings.NewReader(rawText().ReplaceAllString(markup, "$1$2")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	depth, hasElement, hasBody, textOutside, isXML := 0, false, false, false, false
	for {
		token, err := d.Token()
		if err != nil {
			break // what is left is not read, as in a browser
		}
		switch t := token.(type) {
		case xml.ProcInst:
			isXML = isXML || t.Target == "xml"
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			depth++
			hasElement = hasElement || slices.Contains(elements, name) || strings.Contains(name, "-")
			hasBody = hasBody || name == "body"
		case xml.EndElement:
			depth--
		case xml.CharData:
			textOutside = textOutside || depth == 0 && strings.TrimSpace(string(t)) != ""
		}
	}
	switch {
	case markup == "":
		return c.holds(false, "the output is empty")
	case isXML:
		return c.holds(false, "the output is XML and not HTML")
	case textOutside && !hasBody:
		return c.holds(false, "the output has text outside its elements")
	}
	return c.holds(hasElement, "the output does [not] have an element of HTML")
}
