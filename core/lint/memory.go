package lint

import (
	"sync"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/score"
)

// Memory keeps what rules have worked out, for the next text that asks the same.
// Many may use it at once.
type Memory struct {
	explored recall[*reached]     // by what arithmetic sees of a rubric
	worth    recall[score.Result] // by that, the profile and the grades
	escapes  recall[escape]       // by that of all rubrics of a case; see gate-not-kept
	reading  sync.Once
	config   beside             // an evalset's, once it has been read
	stocks   recall[*adk.Stock] // of evalsets beside a configuration, by a sum of their texts
}

func (p *Pass) remembered() *Memory {
	if p.Memory == nil {
		p.Memory = &Memory{}
	}
	return p.Memory
}

// recall is what has been worked out, by what it depends on.
type recall[T any] struct {
	lock  sync.Mutex
	known map[string]T
}

// most bounds what is remembered of a kind.
const most = 1000

// get is what was worked out for key, or else what make gives.
func (r *recall[T]) get(key string, make func() T) T {
	r.lock.Lock()
	defer r.lock.Unlock()
	value, known := r.known[key]
	if known {
		return value
	}
	if r.known == nil || len(r.known) == most {
		r.known = map[string]T{}
	}
	value = make()
	r.known[key] = value
	return value
}
