package promptfoo

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// fileScheme begins a reference to a file.
const fileScheme = "file://"

func trimScheme(reference string) string {
	return strings.TrimPrefix(strings.TrimPrefix(reference, fileScheme), "./")
}

// Endings of files.
var (
	testsEndings   = []string{".csv", ".json", ".jsonl", ".yaml", ".yml"}
	promptEndings  = append([]string{".txt", ".md", ".j2"}, testsEndings...)
	scriptEndings  = []string{".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"}
	codedEndings   = strings.Fields(".py .pdf .jpg .jpeg .png .gif .bmp .webp .svg .mp4 .webm .ogg .mov .avi .wmv .mkv .m4v .mp3 .wav") // whose content is no value
	programEndings = append([]string{".py", ".sh", ".rb", ".pl", ".go", ".ps1", ".bat", ".cmd", ".php"}, scriptEndings...)
)

// ending returns the path in a reference, without the name of a function after it, and the path's ending.
func ending(reference string) (name, ending string) {
	name = trimScheme(reference)
	if at := strings.LastIndex(name, ":"); at > 1 && path.Ext(name[:at]) != "" {
		name = name[:at]
	}
	return name, strings.ToLower(path.Ext(name))
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// files returns the files that a path names, which may be a pattern. known is false if the host cannot say.
func (l *loader) files(name string) (names []string, known bool) {
	switch {
	case l.ReadFile == nil || isGlob(name) && l.ListFiles == nil:
		return nil, false
	case isGlob(name):
		return l.ListFiles(name), true
	}
	return []string{name}, true
}

// roots reads the files in YAML or JSON that a reference names.
func (l *loader) roots(reference string) (roots []*yaml.Node, known bool) {
	names, known := l.files(trimScheme(reference))
	for _, name := range names {
		if body, found := l.ReadFile(name); found {
			roots = append(roots, parseYAML(body).Root())
		}
	}
	return roots, known
}

// readReference reads the file that a text beginning with `file://` names. It returns the ending of its name, too.
func (l *loader) readReference(value any) (end, body string, found bool) {
	if reference, _ := value.(string); strings.HasPrefix(reference, fileScheme) && l.ReadFile != nil {
		var name string
		name, end = ending(reference)
		body, found = l.ReadFile(name)
	}
	return end, body, found
}

// element is a test or another mapping of a list, in this file or in one to which the list refers.
type element struct {
	node *yaml.Node
	at   *yaml.Node // what the editor shows for it: the node, or the reference to its file
	file string     // another file that has it; "" for this one
}

// asList returns the values of a list, or the only value in its place.
func asList(n *yaml.Node) []*yaml.Node {
	if n.IsSeq() || n.IsNull() {
		return n.List()
	}
	return []*yaml.Node{n}
}

// elements returns the mappings in a list, which is a value of another element, and those of the files that it names.
func (l *loader) elements(list *yaml.Node, in element) (all []element) {
	for _, n := range asList(list) {
		e := element{node: n, at: n}
		if in.file != "" {
			e.at, e.file = in.at, in.file
		}
		reference, isText := n.Str()
		if !isText {
			reference, isText = n.Get("path").Str()
		}
		switch {
		case isText:
			all = append(all, l.readElements(e.at, reference)...)
		case n.IsMap() && list.IsSeq():
			all = append(all, e)
		}
	}
	return all
}

// readElements returns the mappings in the files that a reference names.
func (l *loader) readElements(at *yaml.Node, reference string) (all []element) {
	name, end := ending(reference)
	files, known := l.files(name)
	switch {
	case !known, strings.Contains(name, "://"), slices.Contains(programEndings, end), strings.HasPrefix(end, ".xls"):
		l.unread = true
		l.lose(testsElsewhere, at, name)
		return nil
	case len(files) == 0:
		l.lose(testsMissing, at, name)
	}
	for _, file := range files {
		for _, n := range l.readNodes(at, file) {
			if n.IsMap() {
				all = append(all, element{n, at, file})
			}
		}
	}
	return all
}

// readNodes returns the values in a file of tests. A table has the tests that its rows stand for.
func (l *loader) readNodes(at *yaml.Node, file string) (nodes []*yaml.Node) {
	end := strings.ToLower(path.Ext(file))
	body, found := l.ReadFile(file)
	var tree *yaml.Tree
	var err error
	switch {
	case !slices.Contains(testsEndings, end):
		l.lose(testsUnknownKind, at, file)
	case !found && (end == ".csv" || end == ".jsonl"):
		l.lose(testsFileMissing, at, file)
	case !found:
		l.lose(testsMissing, at, file)
	case end == ".csv":
		var tests []any
		tests, err = l.readTests(at, body)
		tree = yaml.ParseJSON(text.New("", javascript.JSON(tests)))
	case end == ".jsonl":
		lines := slices.Collect(strings.Lines(body))
		isBroken := func(line string) bool { return strings.TrimSpace(line) != "" && !json.Valid([]byte(line)) }
		if i := slices.IndexFunc(lines, isBroken); i >= 0 {
			err = fmt.Errorf("line %d is no JSON", i+1)
		}
		tree = yaml.ParseJSONL(text.New("", body))
	default:
		tree = parseYAML(body)
	}
	if err != nil {
		l.lose(testsFileInvalid, at, file+": "+err.Error())
	}
	if err != nil || tree == nil {
		return nil
	}
	if nodes = nodesIn(tree); l.Own {
		l.unread = l.unread || end != ".csv" // that file is checked by itself
		nodes = nodes[:min(len(nodes), 1)]
	}
	return nodes[:min(len(nodes), MaxRows)]
}

// nodesIn returns the values in a file: the items of a list, or one value for each document.
func nodesIn(tree *yaml.Tree) (nodes []*yaml.Node) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	for _, doc := range tree.Docs {
		nodes = append(nodes, asList(doc.Root)...)
	}
	return nodes
}

func parseYAML(body string) *yaml.Tree { return yaml.Parse(text.New("", body)) }

// toValue returns a node as promptfoo reads it: a date that is not quoted becomes an empty mapping.
func toValue(n *yaml.Node) any {
	return n.AnyWith(func(scalar *yaml.Node) any {
		if IsDate(scalar) {
			return map[string]any{}
		}
		if n, isNumber := scalar.Number(); isNumber && math.IsInf(n, 0) && !strings.HasSuffix(strings.ToLower(scalar.Value), "inf") {
			return scalar.Value // a number that JavaScript cannot hold is a text
		}
		return scalar.Any()
	})
}

var datePattern = pattern.New(`^\d{4}-(\d\d-\d\d|\d\d?-\d\d?([Tt]|[ \t]+)\d\d?:\d\d:\d\d(\.\d*)?[ \t]*(Z|[-+]\d\d?(:\d\d)?)?)$`)

func isPlain(n *yaml.Node) bool { return n.Kind == yaml.Scalar && n.Style == yaml.Plain && !n.Tagged }

// IsDate reports whether a scalar is a date without quotes.
func IsDate(n *yaml.Node) bool { return isPlain(n) && datePattern().MatchString(n.Value) }

// LosesDigits reports whether promptfoo prints a number otherwise than it is written, such as 1.10.
func LosesDigits(n *yaml.Node) bool {
	number, isNumber := n.Number()
	return isNumber && isPlain(n) && javascript.Text(number) != n.Value
}

// IsMixed reports whether a list has texts and other values, and whether it stands for several tests all the same.
func IsMixed(n *yaml.Node) (isMixed, expands bool) {
	items := n.List()
	first := slices.IndexFunc(items, isText)
	isOther := func(n *yaml.Node) bool { return !isText(n) }
	return first >= 0 && slices.ContainsFunc(items, isOther), first == 0
}

func isText(n *yaml.Node) bool { _, ok := n.Str(); return ok }

func isReference(n *yaml.Node) bool {
	return n.Kind == yaml.Mapping && n.Pair("$ref") != nil
}

// isOpenReference reports whether a node stands for tests or assertions and is a reference that is not followed.
func isOpenReference(n *yaml.Node) bool {
	for at := n.Parent; at != nil; at = at.Parent {
		if at.Key != nil && slices.Contains([]string{"vars", "config", "options", "metadata", "provider", "value"}, at.Key.Key.Value) {
			return false // it is data
		}
	}
	place := n
	if n.Parent.IsSeq() {
		place = n.Parent
	}
	return isReference(n) && place.Key != nil && slices.Contains([]string{"tests", "assert", "scenarios", "defaultTest"}, place.Key.Key.Value)
}

// has reports whether a node in a tree matches.
func has(root *yaml.Node, match func(*yaml.Node) bool) (found bool) {
	yaml.Walk(root, func(n *yaml.Node) bool { found = found || match(n); return !found })
	return found
}

// resolveReferences makes mappings with only a `$ref` within the file aliases of what they refer to, which may be another
// reference. Other keys beside a `$ref` win over what it refers to, as in a merge. Others are losses.
func (l *loader) resolveReferences(t *yaml.Tree) {
	root, seen := t.Root(), map[*yaml.Node]bool{}
	var resolve func(*yaml.Node) bool
	resolve = func(n *yaml.Node) bool {
		if n == nil || !isReference(n) || seen[n] {
			return true
		}
		seen[n] = true
		reference := n.Get("$ref").Text()
		pointer, isLocal := strings.CutPrefix(reference, "#/")
		target := root
		for part := range strings.SplitSeq(pointer, "/") {
			if at, err := strconv.Atoi(part); err == nil && at >= 0 && at < len(target.List()) {
				target = target.List()[at]
			} else {
				target = target.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
			}
			resolve(target)
			target = target.Follow()
		}
		isLocal = isLocal && target != nil && !isReference(target) // that one is not followed
		for at := n; at != nil; at = at.Parent {
			isLocal = isLocal && at != target // it would contain itself
		}
		switch own := n.Pair("$ref"); {
		case isLocal && len(n.Pairs) == 1 && n.Anchor == "": // an alias of an alias would not be followed
			n.Kind, n.Target, n.Value = yaml.Alias, target, reference
		case isLocal && target.IsMap():
			own.Key.Tag, own.Value.Kind, own.Value.Target = "!!merge", yaml.Alias, target
		case isOpenReference(n):
			l.lose(referenceOpen, n, reference)
		}
		return true
	}
	yaml.Walk(root, resolve)
	t.CheckExpansion(root)
}
