package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/schema"
	source "github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const (
	neovimHelpPath     = "editors/neovim/doc/rubric.txt"
	neovimCommandsPath = "editors/neovim/lua/rubric/commands.lua"
)

//go:embed neovim.txt
var neovimTemplate string

// neovimCommandRow matches a row of the plugin's table of commands.
var neovimCommandRow = regexp.MustCompile(`(?m)^  \{ '(\w+)', '([^']+)', .*\{(.*)\} \},$`)

// neovimHelpText returns the plugin's help: the template with the plugin's commands and
// the server's settings.
func neovimHelpText(root string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(neovimCommandsPath)))
	if err != nil {
		return nil, err
	}
	rows := neovimCommandRow.FindAllStringSubmatch(string(source), -1)
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no table of commands found", neovimCommandsPath)
	}
	var commands, settings strings.Builder
	for _, row := range rows {
		name, summary, options := row[1], row[2], row[3]
		if strings.Contains(options, "bang = true") {
			name += "[!]"
		}
		for values, argument := range map[string]string{"cases": "{case}", "views": "float", "judges": "{judge}", "targets": "{target}"} {
			if strings.Contains(options, "complete = complete_"+values) {
				name += " [" + argument + "]"
			}
		}
		writeHelpEntry(&commands, ":"+row[1], ":"+name, summary)
	}
	for _, o := range run.Options(run.Editor) {
		writeHelpEntry(&settings, "rubric-"+o.Setting(), o.Setting(), o.Description(run.Editor)+" Default: "+o.DefaultText())
	}
	writeHelpEntry(&settings, "rubric-rules", "rules", "Severities by rule name: `{ ['no-cases'] = 'off' }`. `rubric explain` lists the rules.")
	return []byte(strings.NewReplacer("{{commands}}\n", commands.String(), "{{settings}}\n", settings.String()).Replace(neovimTemplate)), nil
}

// writeHelpEntry writes an entry with its tag at the right and its text indented.
func writeHelpEntry(b *strings.Builder, tag, name, text string) {
	const width, indent = 78, 12
	fmt.Fprintf(b, "%*s\n%s\n%*s%s\n\n", width, "*"+tag+"*", name, indent, "", report.Wrap(text, indent, indent, width))
}

const vscodeManifestPath = "editors/vscode/package.json"

// A setting is a VS Code setting.
type setting struct {
	Type                 any                    `json:"type"`
	AnyOf                []choices              `json:"anyOf,omitempty"`
	Items                any                    `json:"items,omitempty"`
	Default              any                    `json:"default"`
	Description          string                 `json:"markdownDescription"`
	Scope                string                 `json:"scope,omitempty"`
	Enum                 []string               `json:"enum,omitempty"`
	Minimum              float64                `json:"minimum,omitempty"`
	Maximum              float64                `json:"maximum,omitempty"`
	Order                int                    `json:"order"`
	Properties           map[string]ruleSetting `json:"properties,omitempty"`
	AdditionalProperties *bool                  `json:"additionalProperties,omitempty"`
}

// choices are the values that an editor completes, with what they mean, or any values of a type.
type choices struct {
	Type         any      `json:"type"`
	Enum         []string `json:"enum,omitempty"`
	Descriptions []string `json:"enumDescriptions,omitempty"`
}

// A ruleSetting is the setting of one rule.
type ruleSetting struct {
	Enum        []string `json:"enum"`
	Description string   `json:"markdownDescription"`
}

// extensionSettings are the settings of the extension itself.
var extensionSettings = map[string]setting{
	"rubric.server.path": {
		Type: "string", Default: "", Scope: "machine-overridable", Order: 100,
		Description: "Path of the language server `rubric`. If empty, the extension uses its bundled server, or else `rubric` from `PATH`.",
	},
	"rubric.trace.server": {
		Type: "string", Default: "off", Enum: []string{"off", "messages", "verbose"}, Scope: "window", Order: 101,
		Description: "Write the messages between editor and server to the output channel. Keys are left out.",
	},
}

// vscodeManifest returns the extension's manifest with the server's settings.
func vscodeManifest(root string) ([]byte, error) {
	manifest, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(vscodeManifestPath)))
	if err != nil {
		return nil, err
	}
	properties, restricted := vscodeSettings()
	manifest, err = replaceJSONValue(manifest, map[string]any{"title": "Rubric", "properties": properties}, "contributes", "configuration")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", vscodeManifestPath, err)
	}
	return replaceJSONValue(manifest, restricted, "capabilities", "untrustedWorkspaces", "restrictedConfigurations")
}

// vscodeSettings returns all settings, and the names of those that an untrusted workspace
// cannot set.
func vscodeSettings() (properties map[string]setting, restricted []string) {
	properties = map[string]setting{"rubric.rules": rulesSetting()}
	for i, o := range run.Options(run.Editor) {
		p := setting{Type: o.Type(), Default: o.EditorDefault(), Description: o.Description(run.Editor), Scope: "window", Minimum: o.Min, Maximum: o.Max, Order: i}
		switch {
		case o.Open:
			p.AnyOf = []choices{{"string", append([]string{""}, o.Values...), append([]string{"as the files say"}, o.ValueDocs...)}, {Type: "string"}}
		case len(o.Values) > 0:
			p.Enum = append([]string{""}, o.Values...)
		}
		if p.Default == nil || p.Enum != nil {
			p.Description += " Default: " + o.DefaultText() + "."
		}
		if p.Default == nil {
			p.Type = []string{o.Type(), "null"} // null: not set
		}
		switch {
		case o.Name == "judge":
			p.Type, p.Items, p.AnyOf = []string{"string", "array"}, map[string]string{"type": "string"}, append(p.AnyOf, choices{Type: "array"})
			p.Description += " [Choose a judge](command:rubric.judge.choose)."
		case p.Type == "array":
			p.Type = "string" // an editor names one
		}
		properties["rubric."+o.Setting()] = p
		if o.NeedsTrust {
			restricted = append(restricted, "rubric."+o.Setting())
		}
	}
	maps.Copy(properties, extensionSettings)
	return properties, append(restricted, "rubric.server.path")
}

func rulesSetting() setting {
	rules := map[string]ruleSetting{}
	for _, r := range lint.All() {
		rules[r.ID] = ruleSetting{Enum: []string{"error", "warning", "info", "hint", "off"}, Description: fmt.Sprintf("%s. Default: %s.", r.Summary, r.DefaultSeverity())}
	}
	return setting{
		Type: "object", Default: map[string]any{}, Scope: "window", Order: 50, Properties: rules, AdditionalProperties: new(bool),
		Description: "Severities of rules. They override those of `.rubric.yaml`.",
	}
}

const vscodeProvidersPath = "editors/vscode/src/providers.ts"

// providersSource lists the providers that need a key, one for each key variable.
func providersSource() string {
	var b strings.Builder
	b.WriteString("// Written by `make generate` from the table of providers. Do not edit.\n\n" +
		"/** providers lists the model providers that need a key, with the key's variable. */\nexport const providers = [\n")
	seen := map[string]bool{}
	for _, p := range provider.Providers() {
		if !p.Keyless && !seen[p.KeyVars[0]] {
			seen[p.KeyVars[0]] = true
			fmt.Fprintf(&b, "  { name: '%s', key: '%s' },\n", p.Name, p.KeyVars[0])
		}
	}
	return b.String() + "]\n"
}

// replaceJSONValue replaces the value at a path of keys in a JSON text. The rest of the
// text stays unchanged.
func replaceJSONValue(text []byte, value any, path ...string) ([]byte, error) {
	node := yaml.Parse(source.New("", string(text))).Root()
	for _, key := range path {
		if node = node.Get(key); node == nil {
			return nil, fmt.Errorf("there is no `%s`", key)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat("  ", len(path)), "  ")
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return slices.Concat(text[:node.Span.Start], bytes.TrimSpace(b.Bytes()), text[node.Span.End:]), nil
}

const catalogPath = "editors/recipes/schemastore/catalog.json"

// A catalogEntry is an entry of SchemaStore's catalogue.
type catalogEntry struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	FileMatch   []string          `json:"fileMatch"`
	URL         string            `json:"url"`
	Versions    map[string]string `json:"versions,omitempty"`
}

// catalogFiles are the formats whose files a name identifies, with the schemas of their versions.
// Names that other tools use too, such as test_config.json, are not in a catalogue for everyone.
var catalogFiles = []struct {
	schema    string
	fileMatch []string
	versions  map[string]string // schema names by version
}{
	{"agentv-stable", []string{"*.eval.yaml", "*.eval.yml"}, map[string]string{"2.5.8": "agentv", "4.42.4": "agentv-stable", "5.3.1-next.1": "agentv-head"}},
	{"agentv-targets", []string{"**/.agentv/targets.yaml", "**/.agentv/targets.yml"}, nil},
	{"agentv-config", []string{"**/.agentv/config.yaml", "**/.agentv/config.yml"}, map[string]string{"2.5.8": "agentv-config", "5.3.1-next.1": "agentv-head-config"}},
	{"agentv-head-providers", []string{"**/.agentv/providers.yaml", "**/.agentv/providers.yml"}, nil},
	{"agentv-labels", []string{"*.labels.yaml", "*.labels.yml"}, nil},
	{"rubric-settings", []string{agentv.SettingsName}, nil},
	{"adk-evalset", []string{"*.evalset.json"}, nil},
	{"adk-results", []string{"*.evalset_result.json"}, nil},
}

// catalog returns the entries for SchemaStore's catalogue.
func catalog(string) ([]byte, error) {
	all := dialect.Schemas()
	find := func(name string) schema.Document {
		return all[slices.IndexFunc(all, func(d schema.Document) bool { return d.Name == name })]
	}
	var entries []catalogEntry
	for _, f := range catalogFiles {
		doc := find(f.schema)
		e := catalogEntry{Name: doc.Title, Description: cmp.Or(doc.Root.Doc, doc.Title), FileMatch: f.fileMatch, URL: doc.ID, Versions: map[string]string{}}
		for version, name := range f.versions {
			e.Versions[version] = find(name).ID
		}
		entries = append(entries, e)
	}
	text, err := json.MarshalIndent(entries, "", "  ")
	return append(text, '\n'), err
}
