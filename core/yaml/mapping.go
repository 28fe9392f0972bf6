package yaml

import "slices"

// keyText returns the key as text, and false for a key that is a collection.
func (p *Pair) keyText() (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != Scalar {
		return "", false
	}
	return key.Value, true
}

// IsMerge reports whether the pair is a merge key, `<<`.
func (p *Pair) IsMerge() bool {
	k := p.Key
	return k.Kind == Scalar && (k.Style == Plain && k.Value == "<<" && !k.Tagged || k.Tag == "!!merge")
}

// mergeSources returns the values that a merge key includes, which may be of any kind. It is false
// if the value is neither a mapping nor a sequence.
func (p *Pair) mergeSources() ([]*Node, bool) {
	switch {
	case p.Value.IsMap():
		return []*Node{p.Value}, true
	case p.Value.IsSeq():
		return p.Value.List(), true
	}
	return nil, false
}

// Pair returns the entry for key in a mapping, aliases followed, or nil. The last of duplicate keys
// wins. An own entry wins over a merged one, and the first merged one over later ones.
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
	seen[n] = true // a mapping without the key need not be searched again
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

// Entries returns the effective entries of a mapping, aliases followed. First come its own pairs in
// order, only the last of duplicates; then the merged pairs. Pairs whose key is a collection are
// left out. Merged pairs beyond MaxExpandedNodes are left out too; [Parse] reports them.
func (n *Node) Entries() []*Pair {
	mapping := n.Follow()
	isSpecial := func(p *Pair) bool { return p.Key.Kind != Scalar || p.IsMerge() }
	if mapping != nil && !slices.ContainsFunc(mapping.Pairs, isSpecial) && !mayHaveDuplicates(mapping) {
		return slices.Clip(mapping.Pairs)
	}
	c := entryCollector{index: map[string]int{}, seen: map[*Node]bool{}}
	c.add(mapping, false)
	return c.pairs
}

type entryCollector struct {
	pairs       []*Pair
	index       map[string]int // position in pairs by key
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
