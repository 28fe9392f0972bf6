package host

import (
	"fmt"
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
		switch value := s[key].(type) {
		case nil, map[string]any, []any:
		default:
			if text := strings.TrimSpace(fmt.Sprint(value)); text != "" {
				return text
			}
		}
	}
	return ""
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
	if n, ok := countOf(s.text(key)); ok {
		return n
	}
	return usual
}

func countOf(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0 && n <= 1e12
}

// counts are the settings that are numbers.
var counts = []string{
	"temperature", "seed", "max_output_tokens", "thinking_budget", "timeout_seconds", "requests_per_minute", "tokens_per_minute",
	"max_retries", "retry_initial_delay_ms", "retry_max_delay_ms", "retry_backoff_factor",
}

// fault is the first that is no number. What it is instead may be secret.
func (s modelSettings) fault() error {
	for _, key := range counts {
		if text := s.text(key); text != "" {
			if _, ok := countOf(text); !ok {
				return fmt.Errorf("its `%s` is no number of at least 0", key)
			}
		}
	}
	return nil
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
	codes, _ := s["retry_status_codes"].([]any)
	for _, code := range codes {
		if n, err := strconv.Atoi(fmt.Sprint(code)); err == nil {
			p.Statuses = append(p.Statuses, n)
		}
	}
	return p
}
