package agentv_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// set looks up the variables of these tests.
func set(name string) (agentv.Variable, bool) {
	value, ok := map[string]string{"BIN": "./agent", "PLACE": "work", "WAIT": "30", "KEY": "k", "ON": "true", "BRACES": "${{ KEY }}"}[name]
	return agentv.Variable{Name: name, Value: value, Source: "here"}, ok
}

func targets(body string) []agentv.Target {
	list := agentv.ReadTargets(yaml.Parse(text.New("targets.yaml", body)), set)
	for i := range list {
		list[i].Span, list[i].DefinitionSpan = text.Span{}, text.Span{}
	}
	return list
}

func TestExpandVariables(t *testing.T) {
	if got, missing := agentv.ExpandVariables(agentv.V4, "{{ env.KEY }} ${{ KEY }}", set); got != "{{ env.KEY }} k" || missing != nil {
		t.Errorf("version 4: got %q, missing %q", got, missing)
	}
	for _, c := range []struct {
		name, text, want string
		missing          []string
	}{
		{"nothing to fill in", "plain $HOME ${HOME} {{ KEY }}", "plain $HOME ${HOME} {{ KEY }}", nil},
		{"alone", "${{ KEY }}", "k", nil},
		{"without spaces", "${{KEY}}", "k", nil},
		{"among words, twice", "a ${{ KEY }}-${{ BIN }} z", "a k-./agent z", nil},
		{"not set", "a ${{ NO }}b ${{ NOR }}", "a b ", []string{"NO", "NOR"}},
		{"never closed", "a ${{ KEY }", "a ${{ KEY }", nil},
		{"closed before it is opened", "}} ${{ KEY }} }}", "}} k }}", nil},
		{"a value is not filled in again", "${{ BRACES }}", "${{ KEY }}", nil},
		{"no name", "${{ }}", "", []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, missing := agentv.ExpandVariables("", c.text, set)
			if got != c.want || !slices.Equal(missing, c.missing) {
				t.Errorf("got %q, missing %q; want %q, %q", got, missing, c.want, c.missing)
			}
		})
	}
}

// TestReadTargets reads each kind of target in both spellings of its keys.
func TestReadTargets(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       agentv.Target
	}{
		{"cli", "{ name: a, provider: CLI, judge_target: j, workers: 4, provider_batching: true, command_template: '${{ BIN }} {PROMPT}', files_format: '-f {path}', cwd: '${{ PLACE }}/x', timeout_seconds: 2.5, healthcheck: { type: http, url: 'http://h/${{ KEY }}', timeout_seconds: '${{ WAIT }}' } }", agentv.Target{
			Name: "a", Provider: "cli", JudgeTarget: "j", Workers: 4, Batching: true, Command: &agentv.Command{
				Template: "./agent {PROMPT}", FilesFormat: "-f {path}", Dir: "work/x", TimeoutSeconds: 2.5,
				Health: &agentv.Healthcheck{Type: "http", URL: "http://h/k", TimeoutSeconds: 30},
			}}},
		{"cli in camelCase", "{ name: a, provider: cli, judgeTarget: j, providerBatching: '${{ ON }}', commandTemplate: x, attachmentsFormat: y, timeoutSeconds: 3, healthcheck: { type: command, commandTemplate: z, cwd: c, timeoutSeconds: 4 } }", agentv.Target{
			Name: "a", Provider: "cli", JudgeTarget: "j", Batching: true, Command: &agentv.Command{
				Template: "x", FilesFormat: "y", TimeoutSeconds: 3, Health: &agentv.Healthcheck{Type: "command", Template: "z", Dir: "c", TimeoutSeconds: 4},
			}}},
		{"snake_case wins", "{ name: a, provider: cli, commandTemplate: x, command_template: y }", agentv.Target{
			Name: "a", Provider: "cli", Command: &agentv.Command{Template: "y"}}},
		{"what is not set", "{ name: a, provider: cli, command_template: '${{ NOR }} ${{ NO }} ${{ NO }}' }", agentv.Target{
			Name: "a", Provider: "cli", Command: &agentv.Command{Template: "  "}, Missing: []string{"NO", "NOR"}}},
		{"a folder that is not set is none", "{ name: a, provider: cli, command_template: x, cwd: '${{ NO }}' }", agentv.Target{
			Name: "a", Provider: "cli", Command: &agentv.Command{Template: "x"}}},
		{"a folder in one that is not set", "{ name: a, provider: cli, command_template: x, cwd: '${{ NO }}/x' }", agentv.Target{
			Name: "a", Provider: "cli", Command: &agentv.Command{Template: "x", Dir: "/x"}, Missing: []string{"NO"}}},
		{"mock", "{ name: a, provider: mock, response: 'run: ${{ NO }}', delay_ms: 5 }", agentv.Target{
			Name: "a", Provider: "mock", Response: "run: ${{ NO }}", DelayMS: [2]float64{5, 5}}},
		{"mock in camelCase", "{ name: a, provider: mock, response: x, delayMs: 5, delayMaxMs: 9, trace: [x] }", agentv.Target{
			Name: "a", Provider: "mock", Response: "x", DelayMS: [2]float64{0, 9}, Trace: []any{"x"}}},
		{"mock that waits at least so long", "{ name: a, provider: mock, delay_min_ms: 7, delay_max_ms: 6 }", agentv.Target{
			Name: "a", Provider: "mock", DelayMS: [2]float64{7, 7}}},
		{"a model by another name", "{ name: a, provider: google-gemini, apiKey: '${{ KEY }}', model: m, retry_status_codes: [500], args: ['${{ NO }}'] }", agentv.Target{
			Name: "a", Provider: "gemini",
			Settings:         map[string]any{"api_key": "k", "model": "m", "retry_status_codes": []any{500.0}},
			SettingVariables: map[string][]agentv.Variable{"api_key": {{Name: "KEY", Value: "k", Source: "here"}}}}},
		{"several variables", "{ name: a, provider: azure, api_key: '${{ KEY }}${{ ON }}', endpoint: 'x-${{ KEY }}' }", agentv.Target{
			Name: "a", Provider: "azure", Settings: map[string]any{"api_key": "ktrue", "endpoint": "x-k"}, SettingVariables: map[string][]agentv.Variable{
				"api_key": {{Name: "KEY", Value: "k", Source: "here"}, {Name: "ON", Value: "true", Source: "here"}}, "endpoint": {{Name: "KEY", Value: "k", Source: "here"}},
			}}},
		{"settings in both spellings", "{ name: a, provider: azure, api_key: x, apiKey: y }", agentv.Target{
			Name: "a", Provider: "azure", Settings: map[string]any{"api_key": "x"}}},
		{"settings under the name that counts", "{ name: a, provider: azure-openai, model: x, deployment: y, apiVersion: null, api_version: z, max_tokens: 5, maxTokens: 6 }", agentv.Target{
			Name: "a", Provider: "azure", Settings: map[string]any{"model": "y", "version": "z", "max_output_tokens": 6.0}}},
		{"an agent's that may be left open", "{ name: a, provider: codex-cli, executable: '${{ NO }}', cwd: '${{ NO }}/x', model: '${{ NOR }}', args: [x, '${{ KEY }}'] }", agentv.Target{
			Name: "a", Provider: "codex", Missing: []string{"NO"}, Settings: map[string]any{"cwd": "/x", "args": []any{"x", "k"}},
			SettingVariables: map[string][]agentv.Variable{"args": {{Name: "KEY", Value: "k", Source: "here"}}}}},
		{"workers without end", "{ name: a, provider: mock, workers: .inf }", agentv.Target{Name: "a", Provider: "mock"}},
		{"no provider", "{ name: a }", agentv.Target{Name: "a", Settings: map[string]any{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := targets("targets:\n  - " + c.body)
			if len(got) != 1 || !reflect.DeepEqual(got[0], c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// TestReadTargetsOfAnything checks that reading arbitrary text neither fails nor hangs.
func TestReadTargetsOfAnything(t *testing.T) {
	for _, body := range []string{
		"", "x", "targets:", "targets: x", "targets: [1, x, [], {}]", "targets: [{ provider: cli }]", "targets: { a: b }",
		"targets: &a [*a]", "targets: [&a { name: x, provider: azure, more: *a }]",
	} {
		if got := targets(body); len(got) > 0 {
			t.Errorf("%q has targets: %+v", body, got)
		}
	}
}

// TestCorpusTargets reads every target in the targets files of the corpus.
func TestCorpusTargets(t *testing.T) {
	count := map[string]int{}
	for _, file := range corpustest.Files(t, "agentv-seed", "targets.yaml") {
		read := targets(file.Body)
		if listed := yaml.Parse(text.New("", file.Body)).Root().Get("targets").List(); len(read) != len(listed) {
			t.Errorf("%s: %d of %d targets", file.Path, len(read), len(listed))
		}
		for _, target := range read {
			count[target.Provider]++
			if target.Provider == "cli" && (target.Command.Template == "" || target.Command.Health.Template == "" && target.Command.Health.URL == "" || len(target.Missing) > 0) {
				t.Errorf("%s: %+v", file.Path, target.Command)
			}
		}
	}
	for _, provider := range []string{"azure", "gemini", "mock", "cli", "codex"} {
		if count[provider] == 0 {
			t.Errorf("no target of %s in %v", provider, count)
		}
	}
}
