package yaml

import "slices"

// keyText is the pair's key as text; false for a key that is a collection.
func (p *Pair) keyText() (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != Scalar {
		return "", false
	}
	return key.Value, true
}

// IsMerge reports whether the pair takes in other mappings.
func (p *Pair) IsMerge() bool {
	k := p.Key
	return k.Kind == Scalar && (k.Style == Plain && k.Value == "<<" && !k.Tagged || k.Tag == "!!merge")
}

// mergeSources is what a merge pair takes in; false if it is neither a mapping nor a
// list. The list's items may be anything.
func (p *Pair) mergeSources() ([]*Node, bool) {
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
		if p.IsMerge() {
			merges = true
		} else if name, ok := p.keyText(); ok && name == key {
			return p
		}
	}
	if !merges || seen[n] {
		return nil
	}
	seen[n] = true // what lacks the key once lacks it always
	for _, p := range n.Pairs {
		if !p.IsMerge() {
			continue
		}
		sources, _ := p.mergeSources()
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
	if f := n.Follow(); f != nil && f.hasPlainEntries() {
		return slices.Clip(f.Pairs)
	}
	c := entryCollector{index: map[string]int{}, seen: map[*Node]bool{}}
	c.add(n.Follow(), false)
	return c.pairs
}

// hasPlainEntries reports whether a mapping's pairs are what it holds in effect; it may be
// false for one of which that is so.
func (n *Node) hasPlainEntries() bool {
	return !slices.ContainsFunc(n.Pairs, func(p *Pair) bool { return p.Key.Kind != Scalar || p.IsMerge() }) && !mayHaveDuplicates(n)
}

type entryCollector struct {
	pairs       []*Pair
	index       map[string]int // name → place in pairs
	seen        map[*Node]bool
	mergedCount int
}

func (c *entryCollector) add(n *Node, merged bool) {
	if n == nil || n.Kind != Mapping || c.seen[n] || c.mergedCount > MaxExpandedNodes {
		return
	}
	c.seen[n] = true // a second time adds nothing
	before := len(c.pairs)
	for _, p := range n.Pairs {
		name, ok := p.keyText()
		if !ok || p.IsMerge() {
			continue
		}
		if merged {
			c.mergedCount++
		}
		i, known := c.index[name]
		switch {
		case !known:
			c.index[name] = len(c.pairs)
			c.pairs = append(c.pairs, p)
		case i >= before:
			c.pairs[i] = p
		}
	}
	for _, p := range n.Pairs {
		if p.IsMerge() {
			sources, _ := p.mergeSources()
			for _, source := range sources {
				c.add(source.Follow(), true)
			}
		}
	}
}
