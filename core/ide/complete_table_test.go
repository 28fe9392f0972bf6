package ide_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/schema"
)

// site is a text that a mapping of a type can be appended to.
type site struct {
	lead   string // text up to the first key of the mapping
	margin int    // column of that key
	owner  *schema.Type
	tag    string // entry that selects the variant; "" for none
}

// sites visits a place for each mapping type below t, the one nearest to the root.
func sites(t *schema.Type, lead string, margin int, seen map[*schema.Type]bool, visit func(site)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind {
	case schema.Union:
		for _, c := range t.Choices {
			sites(c, lead, margin, seen, visit)
		}
	case schema.List:
		sites(t.Items, lead+"- ", margin+2, seen, visit)
	case schema.Map:
		variants := []*schema.Type{t}
		if len(t.Choices) > 0 {
			variants = t.Choices
		}
		for _, v := range variants {
			s := site{lead: lead, margin: margin, owner: v}
			if len(v.TagValues) > 0 {
				s.tag = t.Tag + ": " + v.TagValues[0]
			} else if v.MarkerKey != "" {
				s.tag = v.MarkerKey + ": x"
			}
			visit(s)
			for _, f := range v.Fields {
				if f.RemovedIn == "" {
					sites(f.TypeAs(f.Key), s.within(f.Key), margin+2, seen, visit)
				}
			}
		}
	}
}

// within returns the text that the value of a key can be appended to, on the next line.
func (s site) within(key string) string {
	lead := s.lead
	if s.tag != "" {
		lead += s.tag + "\n" + strings.Repeat(" ", s.margin)
	}
	return lead + key + ":\n" + strings.Repeat(" ", s.margin+2)
}

// rootFiles are files with the tables' types at their root: a path, and the text that selects the
// version.
var rootFiles = map[string]struct{ path, lead string }{
	"agentv":         {path: "a.eval.yaml"},
	"agentv-targets": {path: ".agentv/targets.yaml"},
	"agentv-config":  {path: ".agentv/config.yaml"},
	"agentv-stable":  {path: "a.eval.yaml", lead: "input: Q\n"},
	"agentv-head":    {path: "a.eval.yaml", lead: "prompts: [Q]\n"},
}

// TestEveryKey checks that every key of every field table is proposed where it is valid, is
// documented, and has a hover.
func TestEveryKey(t *testing.T) {
	for _, f := range dialect.Files() {
		kind, ok := rootFiles[f.Name]
		if !ok {
			continue // its types are in another table
		}
		keys := 0
		seen := map[*schema.Type]bool{}
		visit := func(s site) {
			for _, field := range s.owner.Fields {
				if field.RemovedIn == "" && !slices.Contains(field.DeprecatedNames, field.Key) {
					keys++
					checkKey(t, f.Name, kind.path, s, field)
				}
			}
		}
		// keys of the root select the version
		root := &schema.Type{Kind: schema.Map, Fields: slices.DeleteFunc(slices.Clone(f.Root.Fields), func(field *schema.Field) bool {
			return strings.Contains(kind.lead, field.Key+":")
		})}
		sites(root, kind.lead, 0, seen, visit)
		if keys == 0 {
			t.Errorf("%s has no keys", f.Name)
		}
	}
}

func checkKey(t *testing.T, name, path string, s site, field *schema.Field) {
	t.Helper()
	typed, isTag := s.lead, strings.HasPrefix(s.tag, field.Key+":")
	if s.tag != "" && !isTag {
		typed += s.tag + "\n" + strings.Repeat(" ", s.margin)
	}
	foot := ""
	if name == "agentv-stable" || name == "agentv-head" {
		if !strings.Contains(typed, "tests:") && field.Key != "tests" {
			foot = "\ntests: []\n"
		}
	}
	p, offset := chunkAt(analysis.Of(analysis.Input{Path: path, Text: typed + foot}), len(typed))
	items := completion.Complete(p, offset, completion.Host{})
	i := slices.IndexFunc(items, func(item completion.CompletionItem) bool {
		return item.Kind == completion.KeyItem && item.Label == field.Key
	})
	if i < 0 {
		t.Errorf("%s: `%s` of %s is not proposed in %q", name, field.Key, s.owner.Name, typed)
		return
	}
	if page := completion.ResolveDoc(p.Table, items[i].DocKey); !strings.Contains(page, field.Doc) {
		t.Errorf("%s: `%s` of %s has no page: %q", name, field.Key, s.owner.Name, page)
	}
	p, offset = chunkAt(analysis.Of(analysis.Input{Path: path, Text: typed + field.Key + ": x" + foot}), len(typed))
	if h, ok := hover.Describe(p, offset, nil); !ok || !strings.Contains(h.Markdown, field.Doc) {
		t.Errorf("%s: `%s` of %s has no hover in %q: %q", name, field.Key, s.owner.Name, typed, h.Markdown)
	}
}
