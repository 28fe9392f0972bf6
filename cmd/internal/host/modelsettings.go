package host

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
)

// modelSettings are a target's own keys, as a targets file has them.
type modelSettings map[string]any

// text is the first of the keys that is a text or a number.
func (s modelSettings) text(keys ...string) string {
	for _, key := range keys {
		if s[key] == nil || nested(s[key]) {
			continue
		}
		if text := strings.TrimSpace(fmt.Sprint(s[key])); text != "" {
			return text
		}
	}
	return ""
}

// list are the texts of a key that is a list.
func (s modelSettings) list(key string) (texts []string) {
	list, _ := s[key].([]any)
	for _, one := range list {
		texts = append(texts, fmt.Sprint(one))
	}
	return texts
}

// texts are the pairs of a key that is a map.
func (s modelSettings) texts(key string) map[string]string {
	pairs, _ := s[key].(map[string]any)
	texts := map[string]string{}
	for name := range pairs {
		texts[name] = modelSettings(pairs).text(name)
	}
	return texts
}

func (s modelSettings) has(key string) bool { return s.text(key) != "" }

// number is a number, or a text that is one, and otherwise what is usual.
func (s modelSettings) number(key string, usual float64) float64 {
	n, _ := s.count(key, usual)
	return n
}

// count is a number, or says why there is none. What there is instead may be secret.
func (s modelSettings) count(key string, usual float64) (float64, error) {
	most, free := 1e12, key == "thinking_budget" // times have room for no more
	if key == "seed" {
		most, free = 1<<53, true
	}
	text := s.text(key)
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "", free && n == -1: // as people leave it to the provider
		return usual, nil
	case n > most:
		return usual, fmt.Errorf("its `%s` is more than %.0f", key, most)
	case err != nil, !(n >= 0):
		return usual, fmt.Errorf("its `%s` is no number of at least 0", key)
	case n > 0 && n < 1 && strings.HasSuffix(key, "_per_minute"): // which would be cut to none
		return usual, fmt.Errorf("its `%s` is less than 1", key)
	}
	return n, nil
}

// counts are the settings that are numbers.
var counts = []string{
	"temperature", "seed", "max_output_tokens", "thinking_budget", "timeout_seconds", "requests_per_minute", "tokens_per_minute",
	"max_retries", "retry_initial_delay_ms", "retry_max_delay_ms", "retry_backoff_factor",
}

// texts are the settings that are one text.
var texts = []string{"api_key", "base_url", "endpoint", "model", "version", "executable", "cwd", "system_prompt"}

// fault is the first setting that is not what it has to be.
func (s modelSettings) fault() error {
	for _, key := range counts {
		if _, err := s.count(key, 0); err != nil {
			return err
		}
	}
	for _, key := range texts {
		if nested(s[key]) {
			return fmt.Errorf("its `%s` is no text", key)
		}
	}
	headers, ok := s["headers"].(map[string]any)
	if !ok && s["headers"] != nil || slices.ContainsFunc(slices.Collect(maps.Values(headers)), nested) {
		return errors.New("its `headers` are not names with a text each")
	}
	noStatus := func(code any) bool { _, err := strconv.Atoi(fmt.Sprint(code)); return err != nil }
	codes, ok := s["retry_status_codes"].([]any)
	if !ok && s["retry_status_codes"] != nil || slices.ContainsFunc(codes, noStatus) {
		return errors.New("its `retry_status_codes` are no list of numbers")
	}
	return nil
}

// nested reports whether a value is one of several.
func nested(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// patience is the usual one, but for what is said.
func (s modelSettings) patience() provider.Patience {
	usual := provider.Usual
	ms := func(key string, usual time.Duration) time.Duration {
		return time.Duration(s.number(key, float64(usual.Milliseconds()))) * time.Millisecond
	}
	p := provider.Patience{
		Retries: int(s.number("max_retries", float64(usual.Retries))),
		First:   ms("retry_initial_delay_ms", usual.First), Most: ms("retry_max_delay_ms", usual.Most),
		Factor: s.number("retry_backoff_factor", usual.Factor),
	}
	for _, code := range s.list("retry_status_codes") {
		if n, err := strconv.Atoi(code); err == nil {
			p.Statuses = append(p.Statuses, n)
		}
	}
	return p
}
