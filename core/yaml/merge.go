package yaml

import "slices"

// name is the pair's key as text; false for a key that is a collection.
func (p *Pair) name() (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != Scalar {
		return "", false
	}
	return key.Value, true
}

// Merges reports whether the pair takes in other mappings.
func (p *Pair) Merges() bool {
	k := p.Key
	return k.Kind == Scalar && (k.Style == Plain && k.Value == "<<" && !k.Tagged || k.Tag == "!!merge")
}

// merged is what a merge pair takes in; false if it is neither a mapping nor a
// list. The list's items may be anything.
func (p *Pair) merged() ([]*Node, bool) {
	switch {
	case p.Value.IsMap():
		return []*Node{p.Value}, true
	case p.Value.IsSeq():
		return p.Value.List(), true
	}
	return nil, false
}

// Pair is the entry for key in a mapping, aliases followed, or nil. Of
// duplicates the last wins; an entry of its own wins over one that `<<` takes
// in, and of those the first.
func (n *Node) Pair(key string) *Pair {
	return findPair(n.Follow(), key, map[*Node]bool{})
}

func findPair(n *Node, key string, seen map[*Node]bool) *Pair {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	merges := false
	for i := len(n.Pairs) - 1; i >= 0; i-- {
		p := n.Pairs[i]
		if p.Merges() {
			merges = true
		} else if name, ok := p.name(); ok && name == key {
			return p
		}
	}
	if !merges || seen[n] {
		return nil
	}
	seen[n] = true // what lacks the key once lacks it always
	for _, p := range n.Pairs {
		if !p.Merges() {
			continue
		}
		sources, _ := p.merged()
		for _, source := range sources {
			if found := findPair(source.Follow(), key, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// Entries is what a mapping, aliases followed, holds in effect: its own pairs
// in order, of duplicates only the last, then the pairs that `<<` takes in.
// Pairs whose key is a collection are left out. Beyond Budget pairs taken in,
// the rest is left out, which [Parse] has reported.
func (n *Node) Entries() []*Pair {
	if f := n.Follow(); f != nil && f.isSimple() {
		return slices.Clip(f.Pairs)
	}
	e := entries{at: map[string]int{}, seen: map[*Node]bool{}}
	e.add(n.Follow(), false)
	return e.pairs
}

// isSimple reports whether a mapping's pairs are what it holds in effect; it may be
// false for one of which that is so.
func (n *Node) isSimple() bool {
	return !slices.ContainsFunc(n.Pairs, func(p *Pair) bool { return p.Key.Kind != Scalar || p.Merges() }) && !mayRepeat(n)
}

type entries struct {
	pairs []*Pair
	at    map[string]int // name → place in pairs
	seen  map[*Node]bool
	taken int
}

func (e *entries) add(n *Node, merged bool) {
	if n == nil || n.Kind != Mapping || e.seen[n] || e.taken > Budget {
		return
	}
	e.seen[n] = true // a second time adds nothing
	before := len(e.pairs)
	for _, p := range n.Pairs {
		name, ok := p.name()
		if !ok || p.Merges() {
			continue
		}
		if merged {
			e.taken++
		}
		i, known := e.at[name]
		switch {
		case !known:
			e.at[name] = len(e.pairs)
			e.pairs = append(e.pairs, p)
		case i >= before:
			e.pairs[i] = p
		}
	}
	for _, p := range n.Pairs {
		if p.Merges() {
			sources, _ := p.merged()
			for _, source := range sources {
				e.add(source.Follow(), true)
			}
		}
	}
}
