package lint

import (
	"sync"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/score"
)

// Cache keeps what rules have worked out, for the next text that asks the same.
// Many may use it at once.
type Cache struct {
	attainable boundedCache[*attainable]  // by what arithmetic sees of a rubric
	results    boundedCache[score.Result] // by that, the profile and the grades
	escapes    boundedCache[escape]       // by that of all rubrics of a case; see gate-not-kept
	configOnce sync.Once
	sibling    siblingConfig              // an evalset's, once it has been read
	summaries  boundedCache[*adk.Summary] // of evalsets beside a configuration, by a sum of their texts
}

func (p *Pass) cache() *Cache {
	if p.Cache == nil {
		p.Cache = &Cache{}
	}
	return p.Cache
}

// boundedCache is what has been worked out, by what it depends on.
type boundedCache[T any] struct {
	mu     sync.Mutex
	values map[string]T
}

// maxCached bounds what is remembered of a kind.
const maxCached = 1000

// get is what was worked out for key, or else what make gives.
func (b *boundedCache[T]) get(key string, make func() T) T {
	b.mu.Lock()
	defer b.mu.Unlock()
	value, known := b.values[key]
	if known {
		return value
	}
	if b.values == nil || len(b.values) == maxCached {
		b.values = map[string]T{}
	}
	value = make()
	b.values[key] = value
	return value
}
