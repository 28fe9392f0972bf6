package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/judge/wire/address"
)

// Model is one model to be asked.
type Model struct {
	Provider wire.Provider
	wire.Model
	Patience Patience
	Limits   Limits        // the client's own where there is none
	Timeout  time.Duration // for one try; 0 for the client's own
	KeyWords string        // the key in words: where it is from, never what it is; may be ""
}

// keyWords are the words on the key where nothing else can be what was not accepted: a
// header in the place of the provider's own, any header of one without a key, or what
// the address holds.
func (m Model) keyWords() string {
	if m.Key == "" && len(m.Headers) > 0 || strings.ContainsAny(m.Base, "?@") {
		return ""
	}
	_, own := m.Provider.Place(m.Model)
	for name := range m.Headers {
		for other := range own {
			if strings.EqualFold(name, other) {
				return ""
			}
		}
	}
	return m.KeyWords
}

// session is a model that is asked, and what was learned of it on the way.
type session struct {
	client *Client
	model  Model
	gate   *gate
	hide   func(string) string
	as     *http.Request // each question is sent
	barred error         // why there is no address

	reached atomic.Bool                // somebody has answered before
	ended   atomic.Pointer[wire.Fault] // why nothing is asked any more

	mu      sync.Mutex
	without []wire.Feature
}

// Judge is the model as a judge.
func (c *Client) Judge(m Model) judge.Judge {
	m.Timeout = cmp.Or(m.Timeout, c.Timeout)
	m.Limits = Limits{cmp.Or(m.Limits.Requests, c.Limits.Requests), cmp.Or(m.Limits.Tokens, c.Limits.Tokens)}
	s := &session{client: c, model: m, gate: c.gateOf(m), hide: secrets(m.Model).Replace, without: m.Without}
	at, err := address.Of(m.Provider, m.Model)
	if err == nil {
		s.as, err = request(at)
	}
	s.barred = err
	return s
}

// gateOf is the gate that all models pass which are at one address and limited alike.
func (c *Client) gateOf(m Model) *gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprint(m.Provider.Name, " ", m.Base, " ", m.Limits)
	if c.gate[key] == nil {
		c.gate[key] = newGate(m.Limits)
	}
	return c.gate[key]
}

// Ask asks until there is an answer or no hope of one. An error names the model
// and holds a [*wire.Fault], unless it is the cause of ctx; the answer beside it has
// what its tries took.
func (s *session) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	var used judge.Usage // by all tries
	for try := 0; ; {
		if ended := s.ended.Load(); ended != nil {
			return judge.Answer{}, s.named(ended, 0)
		}
		without := s.lacking()
		answer, err := s.try(ctx, q, without)
		used.Input, used.Output = used.Input+answer.Usage.Input, used.Output+answer.Usage.Output
		answer.Usage, answer.Model = used, cmp.Or(answer.Model, s.hide(s.model.Name))
		var fault *wire.Fault
		if !errors.As(err, &fault) {
			return answer, err
		}
		if fault.Kind == wire.Unsupported && !slices.Contains(without, fault.Feature) {
			s.learn(fault.Feature)
			continue
		}
		if fault.Kind == wire.Denied {
			fault.Key = s.model.keyWords()
		}
		if fault.Lasting() {
			s.ended.Store(fault)
		}
		delay, again := s.model.Patience.next(fault, try, s.client.Jitter())
		try++
		if !again {
			return answer, s.named(fault, try)
		}
		if fault.Kind == wire.Limited {
			s.gate.pause(s.client.Now().Add(fault.After))
		}
		if err := s.client.Wait(ctx, delay); err != nil {
			return judge.Answer{}, err
		}
	}
}

// try asks once.
func (s *session) try(ctx context.Context, q judge.Question, without []wire.Feature) (judge.Answer, error) {
	if s.barred != nil {
		return judge.Answer{}, &wire.Fault{Kind: wire.Barred, Message: s.barred.Error()}
	}
	m := s.model.Model
	m.Without = without
	body, err := s.model.Provider.Compose(m, q)
	if err != nil {
		return judge.Answer{}, &wire.Fault{Kind: wire.Barred, Message: err.Error()}
	}
	estimate := len(body) / 4 // as many bytes are about a token
	if err := s.gate.pass(ctx, s.client, estimate); err != nil {
		return judge.Answer{}, err
	}
	answer, err := s.exchange(ctx, body)
	if used := answer.Usage.Input + answer.Usage.Output; used > estimate {
		s.gate.take(s.client.Now(), used-estimate)
	}
	var fault *wire.Fault
	if errors.As(err, &fault) {
		fault.Message = s.hide(strings.TrimSpace(fault.Message + s.besides(fault)))
	}
	return answer, err
}

// besides is what a provider does not say of a fault, and who is to mend it has to know.
func (s *session) besides(f *wire.Fault) string {
	switch at, most := s.as.URL, s.model.MaxTokens; {
	case f.Kind == wire.Missing && s.model.Base != "":
		return " (asked at `" + at.Scheme + "://" + at.Host + at.Path + "`)"
	case f.Kind == wire.Truncated && most > 0:
		return fmt.Sprintf(" `max_output_tokens` is %d", most)
	case f.After > Longest:
		return fmt.Sprintf(" (it asks to wait %s)", f.After)
	}
	return ""
}

// exchange sends a question and reads the reply. Keys are hidden in it before it
// is read, so that none is cut in two, and after, in what was written otherwise.
func (s *session) exchange(ctx context.Context, body []byte) (judge.Answer, error) {
	reply, err := s.client.send(ctx, s.as, body, s.model.Timeout)
	var fault *wire.Fault
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.Absent && s.reached.Load():
		fault.Kind = wire.Away // it was there: it may come back
		return judge.Answer{}, fault
	case err != nil:
		return judge.Answer{}, err
	}
	s.reached.Store(true)
	reply.Body = s.hide(reply.Body)
	answer, err := s.model.Provider.Decode(reply)
	answer.Text, answer.Model = s.hide(answer.Text), s.hide(answer.Model)
	if 2*len(answer.Text) < len(reply.Body) { // of which they would keep all, a model's thoughts for one
		answer.Text, answer.Model = strings.Clone(answer.Text), strings.Clone(answer.Model)
	}
	return answer, err
}

// named is a fault with the model's name, and how often it was tried.
func (s *session) named(f *wire.Fault, tries int) error {
	name := s.model.Provider.Name + ":" + s.hide(s.model.Name)
	if tries > 1 {
		return fmt.Errorf("%s: tried %d times: %w", name, tries, f)
	}
	return fmt.Errorf("%s: %w", name, f)
}

func (s *session) lacking() []wire.Feature {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.without
}

// learn notes that the model does not take a feature.
func (s *session) learn(f wire.Feature) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.without, f) {
		s.without = append(slices.Clip(s.without), f)
	}
}
