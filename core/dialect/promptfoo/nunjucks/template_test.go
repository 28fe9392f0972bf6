package nunjucks_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
)

// TestRender: values are those of JavaScript, not of Python.
func TestRender(t *testing.T) {
	vars := map[string]any{
		"t": true, "n": 1.5, "big": 12345678.0, "l": []any{"a", 2.0, nil}, "empty": []any{}, "m": map[string]any{"b": 1.0, "a": []any{true}}, "s": "x y",
		"rows": []any{map[string]any{"k": "p"}, map[string]any{"k": "q"}},
	}
	for source, want := range map[string]string{
		"{{ t }} {{ n }} {{ big }} {{ l }} {{ m }}":                                                            "true 1.5 12345678 a,2, [object Object]",
		"{{ m | dump }} {{ l | dump }} {{ m.a }}":                                                              `{"a":[true],"b":1} ["a",2,null] true`,
		"{% if empty %}yes{% else %}no{% endif %}":                                                             "yes",
		"{% if s === 'x y' and not missing %}1{% elif t %}2{% endif %}":                                        "1",
		"{% for k, v in m %}{{ k }}={{ v }};{% endfor %}":                                                      "a=true;b=1;",
		"{% for x in m %}{{ x }}{% else %}none{% endfor %}":                                                    "none",
		"{% for r in rows %}{{ loop.index }}{{ r.k }}{% if not loop.last %},{% endif %}{% endfor %}":           "1p,2q",
		"{% set c = 0 %}{% for x in l %}{% set c = c + 1 %}{% endfor %}{{ c }}":                                "3",
		"{% set c %}a{{ n }}{% endset %}[{{ c }}]":                                                             "[a1.5]",
		"{{ l.length }} {{ s.length + 1 }} {{ rows[rows.length - 1].k }}":                                      "3 4 q",
		"{{ rows | join('-', 'k') }} {{ s.toUpperCase() }} {{ l.join('+') }}":                                  "p-q X Y a+2+",
		"{{ missing | default('d') }}{{ missing.a.b }}{{ m['b'] }}":                                            "d1",
		"a {{- t -}} b {#- c -#} {% raw %}{{ t }}{% endraw %}":                                                 "atrueb{{ t }}",
		"{% for i in range(3) %}{{ i }}{% endfor %}{{ 2 * 3 }}{{ 'a' ~ 1 }}{{ 'a' + 1 }}":                      "0126a1a1",
		"{{ s - 1 }} {{ '}}' }} {{ \"%}\" }}":                                                                  "NaN }} %}",
		"A\n{% for x in l %}\n- {{ x }}\n{% endfor %}\nB":                                                      "A\n\n- a\n\n- 2\n\n- \n\nB",
		"  {% if n %}\n  x\n  {% endif %}\ny {{ n }}{%- if n -%} a {%- endif -%} {# c #}\nb":                   "  \n  x\n  \ny 1.5a\nb",
		"{% if '2' == 2 and n == '1.5' and t == 1 and s != 1 and not (n === '1.5') %}1{% endif %}":             "1",
		"{{ s | first }}{{ s | last }}{{ l | last }} {{ 'it IS' | title }} {{ 2.55 | round(1) }}":              "xy It Is 2.6",
		"{{ 'one two three' | truncate(9) }} {{ 'one two' | truncate(5, true, '-') }}":                         "one two... one t-",
		"{% for x in l %}{{ loop.revindex }}/{{ loop.length }} {% endfor %}{% filter upper %}a{% endfilter %}": "3/3 2/3 1/3 A",
	} {
		if got, err := nunjucks.Render(source, vars); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", source, got, err, want)
		}
	}
}

// TestRefusals: what cannot be filled in, or takes too much, is an error.
func TestRefusals(t *testing.T) {
	deep := strings.Repeat("{% if t %}", 200) + strings.Repeat("{% endif %}", 200)
	for _, source := range []string{
		"{% if %}{% endif %}", "{% if t %}", "{% endif %}", "{{ }}", "{{ t | shout }}", "{{ s | unique }}", "half {{ s", "{{ s[0:1] }}", "{{ s | join(',') }}", "{{ s.slice(1) }}", "{{ (t }}", "{% for x l %}{% endfor %}",
		"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{% include 'x' %}", "{{ " + strings.Repeat("(", 5000) + " }}", deep,
		"{% set a = 'xxxxxxxxxxxxxxxx' %}" + strings.Repeat("{% set a = a ~ a %}", 60), "{% set l = [1, 2] %}" + strings.Repeat("{% set l = [l, l] %}", 60),
		"{% for a in range(4000) %}{% for b in range(4000) %}{% for c in range(4000) %}{% endfor %}{% endfor %}{% endfor %}",
		"{{ 'x' * 1000000000000 }}{{ strftime_now('%Y') }}",
	} {
		if got, err := nunjucks.Render(source, map[string]any{"t": true, "s": "x"}); err == nil {
			t.Errorf("%.60s: %.60q", source, got)
		}
	}
}

// TestNames: the variables that a template reads.
func TestNames(t *testing.T) {
	source := "{{ a.b }}{% set c = d %}{{ c }}{% for e in f %}{{ e }}{{ loop.index }}{{ g | join(h, attribute=i) }}{% endfor %}{{ e }}{{ 'j' if k is defined else none }}"
	parsed, err := nunjucks.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(parsed.Names(), " "); got != "a d f g h i e k" {
		t.Error(got)
	}
}
