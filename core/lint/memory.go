package lint

import "sync"

// Memory keeps what rules have worked out, for the next text that asks the same.
// Many may use it at once.
type Memory struct {
	lock     sync.Mutex
	explored map[string]*reached // by what arithmetic sees of a rubric
}

// most bounds what is remembered of a kind.
const most = 10_000

// recall is what was worked out for key, or else what make gives.
func (m *Memory) recall(key string, make func() *reached) *reached {
	m.lock.Lock()
	defer m.lock.Unlock()
	r := m.explored[key]
	if r == nil {
		if m.explored == nil || len(m.explored) == most {
			m.explored = map[string]*reached{}
		}
		r = make()
		m.explored[key] = r
	}
	return r
}
