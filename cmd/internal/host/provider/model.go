package provider

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
)

// Model is a model with its settings for requests.
type Model struct {
	Provider wire.Provider
	wire.Model
	Retry    RetryPolicy
	Limits   Limits        // the client's by default
	Timeout  time.Duration // for one attempt; the client's by default
	KeyLabel string        // where the key is from, never the key; may be ""
}

// keyLabel returns KeyLabel if a rejected key can only be that one. It returns "" if a header
// replaces the provider's own, if there is a header but no key, or if the address holds
// credentials.
func (m Model) keyLabel() string {
	if m.Key == "" && len(m.Headers) > 0 || strings.ContainsAny(m.Base, "?@") {
		return ""
	}
	_, own := m.Provider.Endpoint(m.Model)
	for name := range m.Headers {
		for other := range own {
			if strings.EqualFold(name, other) {
				return ""
			}
		}
	}
	return m.KeyLabel
}

// modelJudge asks a model, and remembers what it learns about it.
type modelJudge struct {
	client     *Client
	model      Model
	limiter    *limiter
	redact     func(string) string
	request    *http.Request // template of each request
	addressErr error         // why there is no address

	answered  atomic.Bool                // the server has answered before
	permanent atomic.Pointer[wire.Fault] // why nothing is asked any more

	mu      sync.Mutex
	without []wire.Feature
}

// Judge returns the model as a judge.
func (c *Client) Judge(m Model) judge.Judge {
	m.Timeout = cmp.Or(m.Timeout, c.Timeout)
	m.Limits = Limits{cmp.Or(m.Limits.Requests, c.Limits.Requests), cmp.Or(m.Limits.Tokens, c.Limits.Tokens)}
	j := &modelJudge{client: c, model: m, limiter: c.limiterFor(m), redact: modelRedactor(m.Model).Replace, without: m.Without}
	at, err := address.Resolve(m.Provider, m.Model)
	if err == nil {
		j.request, err = newRequest(at)
	}
	j.addressErr = err
	return j
}

// limiterFor returns the limiter that models at one address with equal limits share, and with a ledger
// other processes too.
func (c *Client) limiterFor(m Model) *limiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprint(m.Provider.Name, " ", m.Base, " ", m.Limits)
	if c.limiters[key] == nil {
		l := &limiter{limits: m.Limits}
		if l.limits != (Limits{}) && c.Ledger != nil {
			l.schedule.Ledger, l.schedule.Name = c.Ledger, judge.AllRuns+key
		}
		c.limiters[key] = l
	}
	return c.limiters[key]
}

// Ask asks until there is an answer or no hope of one. An error names the model and wraps a
// [*wire.Fault], unless it is the cause of ctx. The answer beside it has the usage of all
// attempts.
func (j *modelJudge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	var used judge.Usage // of all attempts
	for try := 0; ; {
		if permanent := j.permanent.Load(); permanent != nil {
			return judge.Answer{}, j.wrapFault(permanent, 0)
		}
		without := j.omittedFeatures()
		answer, err := j.askOnce(ctx, q, without)
		used.Input, used.Output = used.Input+answer.Usage.Input, used.Output+answer.Usage.Output
		answer.Usage, answer.Model = used, cmp.Or(answer.Model, j.redact(j.model.Name))
		fault, ok := errors.AsType[*wire.Fault](err)
		if !ok {
			return answer, err
		}
		if fault.Kind == wire.Unsupported && !slices.Contains(without, fault.Feature) {
			j.omitFeature(fault.Feature)
			continue
		}
		if fault.Kind == wire.Unauthorized {
			fault.KeyLabel = j.model.keyLabel()
		}
		if fault.IsPermanent() {
			j.permanent.Store(fault)
		}
		delay, retry := j.model.Retry.nextDelay(fault, try, j.client.Jitter())
		try++
		if !retry {
			return answer, j.wrapFault(fault, try)
		}
		if fault.Kind == wire.RateLimited {
			j.limiter.pause(ctx, j.client, fault.RetryAfter)
		}
		if err := j.client.Wait(ctx, delay); err != nil {
			return judge.Answer{}, err
		}
	}
}

func (j *modelJudge) askOnce(ctx context.Context, q judge.Question, without []wire.Feature) (judge.Answer, error) {
	if j.addressErr != nil {
		return judge.Answer{}, &wire.Fault{Kind: wire.Blocked, Message: j.addressErr.Error()}
	}
	m := j.model.Model
	m.Without = without
	body, err := j.model.Provider.Encode(m, q)
	if err != nil {
		return judge.Answer{}, &wire.Fault{Kind: wire.Blocked, Message: err.Error()}
	}
	estimate := len(body) / 4 // about four bytes are a token
	if err := j.limiter.wait(ctx, j.client, estimate); err != nil {
		return judge.Answer{}, err
	}
	answer, err := j.exchange(ctx, body)
	if used := answer.Usage.Input + answer.Usage.Output; used > estimate {
		_, _ = j.limiter.reserve(ctx, j.client, 0, used-estimate)
	}
	if fault, ok := errors.AsType[*wire.Fault](err); ok {
		fault.Message = j.redact(strings.TrimSpace(fault.Message + j.faultHint(fault)))
	}
	return answer, err
}

// faultHint returns what the provider's message lacks and the user needs to fix the fault.
func (j *modelJudge) faultHint(f *wire.Fault) string {
	switch at, most := j.request.URL, j.model.MaxTokens; {
	case f.Kind == wire.NotFound && j.model.Base != "":
		return " (asked at `" + at.Scheme + "://" + at.Host + at.Path + "`)"
	case f.Kind == wire.Truncated && most > 0:
		return fmt.Sprintf(" `max_output_tokens` is %d", most)
	case f.RetryAfter > MaxRetryAfter:
		return fmt.Sprintf(" (it asks to wait %s)", f.RetryAfter)
	}
	return ""
}

// exchange sends a question and decodes the reply. Keys are redacted before decoding, so that
// none is cut in two, and afterwards, in case one was escaped.
func (j *modelJudge) exchange(ctx context.Context, body []byte) (judge.Answer, error) {
	reply, err := j.client.send(ctx, j.request, body, j.model.Timeout)
	var fault *wire.Fault
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.Unreachable && j.answered.Load():
		fault.Kind = wire.ConnectionLost // it answered before, so it may come back
		return judge.Answer{}, fault
	case err != nil:
		return judge.Answer{}, err
	}
	j.answered.Store(true)
	reply.Body = j.redact(reply.Body)
	answer, err := j.model.Provider.Decode(reply)
	answer.Text, answer.Model = j.redact(answer.Text), j.redact(answer.Model)
	return answer, err
}

// wrapFault adds the model's name and the number of attempts to a fault.
func (j *modelJudge) wrapFault(f *wire.Fault, tries int) error {
	name := j.model.Provider.Name + ":" + j.redact(j.model.Name)
	if tries > 1 {
		return fmt.Errorf("%s: tried %d times: %w", name, tries, f)
	}
	return fmt.Errorf("%s: %w", name, f)
}

func (j *modelJudge) omittedFeatures() []wire.Feature {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.without
}

func (j *modelJudge) omitFeature(f wire.Feature) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Contains(j.without, f) {
		j.without = append(slices.Clip(j.without), f)
	}
}

// Identity returns the SHA-256 of everything about the model that its answers depend on: all but
// its key, limits and retries.
func (m Model) Identity() string {
	settings := m.Model
	settings.Key, settings.Base = "", cmp.Or(settings.Base, m.Provider.BaseURL)
	encoded, _ := json.Marshal(settings) // texts and numbers cannot fail
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(m.Provider.Name+" "), encoded...)))
}
