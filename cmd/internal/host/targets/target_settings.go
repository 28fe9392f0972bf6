package targets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
)

// targetSettings are the provider-specific keys of a target.
type targetSettings map[string]any

// text returns the first of keys that has a text or a number.
func (s targetSettings) text(keys ...string) string {
	for _, key := range keys {
		if s[key] == nil || isNested(s[key]) {
			continue
		}
		if text := strings.TrimSpace(fmt.Sprint(s[key])); text != "" {
			return text
		}
	}
	return ""
}

func (s targetSettings) list(key string) (texts []string) {
	list, _ := s[key].([]any)
	return generic.Map(list, func(one any) string { return fmt.Sprint(one) })
}

func (s targetSettings) textMap(key string) map[string]string {
	pairs, _ := s[key].(map[string]any)
	texts := map[string]string{}
	for name := range pairs {
		texts[name] = targetSettings(pairs).text(name)
	}
	return texts
}

func (s targetSettings) has(key string) bool { return s.text(key) != "" }

// number returns a number, or fallback if there is no valid one.
func (s targetSettings) number(key string, fallback float64) float64 {
	n, _ := s.parseNumber(key, fallback)
	return n
}

// parseNumber returns a number or an error, which does not show the value because it may be
// secret.
func (s targetSettings) parseNumber(key string, fallback float64) (float64, error) {
	limit, allowsUnset := 1e12, key == "thinking_budget" // a time.Duration holds no more
	if key == "seed" {
		limit, allowsUnset = 1<<53, true
	}
	text := s.text(key)
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "", allowsUnset && n == -1: // -1 is a common way to leave it to the provider
		return fallback, nil
	case n > limit:
		return fallback, fmt.Errorf("its `%s` is more than %.0f", key, limit)
	case err != nil, !(n >= 0):
		return fallback, fmt.Errorf("its `%s` is not a number of at least 0", key)
	case n > 0 && n < 1 && strings.HasSuffix(key, "_per_minute"): // it would round down to no requests
		return fallback, fmt.Errorf("its `%s` is less than 1", key)
	}
	return n, nil
}

var numberKeys = []string{
	"temperature", "seed", "max_output_tokens", "thinking_budget", "timeout_seconds", "requests_per_minute", "tokens_per_minute",
	"max_retries", "retry_initial_delay_ms", "retry_max_delay_ms", "retry_backoff_factor",
}

var textKeys = []string{"api_key", "base_url", "endpoint", "model", "version", "cwd", "system_prompt"}

// validate returns an error for the first setting with a wrong type.
func (s targetSettings) validate() error {
	for _, key := range numberKeys {
		if _, err := s.parseNumber(key, 0); err != nil {
			return err
		}
	}
	for _, key := range textKeys {
		if isNested(s[key]) {
			return fmt.Errorf("its `%s` is not a text", key)
		}
	}
	headers, ok := s["headers"].(map[string]any)
	if !ok && s["headers"] != nil || slices.ContainsFunc(slices.Collect(maps.Values(headers)), isNested) {
		return errors.New("its `headers` is not a mapping of names to texts")
	}
	noStatus := func(code any) bool { _, err := strconv.Atoi(fmt.Sprint(code)); return err != nil }
	codes, ok := s["retry_status_codes"].([]any)
	if !ok && s["retry_status_codes"] != nil || slices.ContainsFunc(codes, noStatus) {
		return errors.New("its `retry_status_codes` is not a list of numbers")
	}
	return nil
}

func isNested(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

func (s targetSettings) retryPolicy() provider.RetryPolicy {
	defaults := provider.DefaultRetry
	ms := func(key string, defaults time.Duration) time.Duration {
		return time.Duration(s.number(key, float64(defaults.Milliseconds()))) * time.Millisecond
	}
	p := provider.RetryPolicy{
		Retries:      int(s.number("max_retries", float64(defaults.Retries))),
		InitialDelay: ms("retry_initial_delay_ms", defaults.InitialDelay), MaxDelay: ms("retry_max_delay_ms", defaults.MaxDelay),
		Factor: s.number("retry_backoff_factor", defaults.Factor),
	}
	for _, code := range s.list("retry_status_codes") {
		if n, err := strconv.Atoi(code); err == nil {
			p.Statuses = append(p.Statuses, n)
		}
	}
	return p
}

// lookupRate returns the rate of a model, or nil if it is unknown. The user's prices come first,
// then those of settings files. Built-in prices apply at the provider's own address. It returns
// an error if a limit needs a price that is unknown.
func (p *Ports) lookupRate(m provider.Model) (*run.Rate, error) {
	if rate, ok := p.Prices.Lookup(m.Provider.Name, m.Name); ok {
		return &run.Rate{Rate: rate}, nil
	}
	limited := p.Budget.Max > 0
	builtIn, known := price.BuiltIn().Lookup(m.Provider.Name, m.Name)
	var found *run.Rate
	for _, project := range p.ProjectPrices {
		rate, ok := project.Table.Lookup(m.Provider.Name, m.Name)
		switch {
		case !ok:
		case limited:
			found = p.limitedRate(found, rate, builtIn, project.File, m)
		default:
			found = &run.Rate{Rate: rate, File: project.File}
		}
	}
	switch {
	case found != nil:
		return found, nil
	case known && (m.Base == "" || strings.TrimRight(m.Base, "/") == m.Provider.BaseURL):
		return &run.Rate{Rate: builtIn, BuiltIn: true}, nil
	case limited:
		where, why := "", ""
		if m.Base != "" {
			where, why = " at its address", "built-in prices are those at the provider's own address; "
		}
		return nil, fmt.Errorf("the price of `%s:%s`%s is unknown, so it cannot run under a cost limit; %sset it with --prices or in .rubric.yaml (see `rubric help costs`), or limit the calls with --max-calls", m.Provider.Name, m.Name, where, why)
	}
	return nil, nil
}

// DescribePrice describes what a listed model costs and where its price is from; it returns "" for
// targets that are not models.
func (p *Ports) DescribePrice(ctx context.Context, evalFile string, l ListedTarget) string {
	d, err := p.findDefinition(ctx, evalFile, l.Path, l.Name)
	if err != nil || d.model == nil {
		return ""
	}
	rate, err := p.lookupRate(*d.model)
	if err != nil || rate == nil {
		return "its price is unknown; `rubric help costs` says how to set it"
	}
	from := "built in, as of " + price.BuiltInDate()
	if rate.File != "" {
		from = "from " + rate.File
	}
	return fmt.Sprintf("$%g for a million tokens read and $%g written (%s)", rate.Input, rate.Output, from)
}

// limitedRate returns the rate of a settings file under a limit. It is never below the built-in
// price or that of another settings file, so a repository cannot lift the limit.
func (p *Ports) limitedRate(found *run.Rate, rate, builtIn price.Rate, file string, m provider.Model) *run.Rate {
	higher := price.Rate{Input: max(rate.Input, builtIn.Input), Output: max(rate.Output, builtIn.Output)}
	if higher != rate {
		p.noteOnce(fmt.Sprintf("%s: its price of `%s:%s` is below the built-in one, which the limit uses; --prices FILE overrides both", file, m.Provider.Name, m.Name))
	}
	if found != nil {
		higher = price.Rate{Input: max(higher.Input, found.Input), Output: max(higher.Output, found.Output)}
	}
	return &run.Rate{Rate: higher, File: file}
}
