package lint

import "sync"

// PerPass returns compute with the result remembered in each pass, for values that several
// rules use.
func PerPass[T any](compute func(*Pass) T) func(*Pass) T {
	key := new(byte)
	return func(p *Pass) T {
		if known, ok := p.values[key]; ok {
			return known.(T)
		}
		if p.values == nil {
			p.values = map[any]any{}
		}
		value := compute(p)
		p.values[key] = value
		return value
	}
}

// Cache holds results that rules need again for the next version of a file. It is safe for
// concurrent use.
type Cache struct{ values sync.Map } // functions of [PerCache], by their keys

// PerCache returns compute with the result remembered in the cache of the passes. A cache belongs
// to one state of the files in the folder, so compute may read them.
func PerCache[T any](compute func(*Pass) T) func(*Pass) T {
	key := new(byte)
	return func(p *Pass) T {
		once, _ := p.Cache.values.LoadOrStore(key, sync.OnceValue(func() T { return compute(p) }))
		return once.(func() T)()
	}
}
