package yaml

// arena makes nodes, pairs and lists of them many at a time: a large text has
// millions.
type arena struct {
	freeNodes   []Node
	freePairs   []Pair
	freeItems   []*Node
	freeEntries []*Pair
}

// A slab has room for what so many bytes of text come to, about, within bounds.
const (
	bytesPerNode = 32
	maxArenaSize = 256
)

func arenaSize(bytes int) int { return min(bytes/bytesPerNode+4, maxArenaSize) }

// newNode makes one, with so many bytes of the text to come.
func (a *arena) newNode(bytes int) *Node {
	if len(a.freeNodes) == 0 {
		a.freeNodes = make([]Node, arenaSize(bytes))
	}
	n := &a.freeNodes[0]
	a.freeNodes = a.freeNodes[1:]
	return n
}

func (a *arena) newPair(key, value *Node, bytes int) *Pair {
	if len(a.freePairs) == 0 {
		a.freePairs = make([]Pair, arenaSize(bytes))
	}
	p := &a.freePairs[0]
	a.freePairs = a.freePairs[1:]
	p.Key, p.Value = key, value
	return p
}

func (a *arena) copyItems(items []*Node) []*Node { return copyInto(&a.freeItems, items) }

func (a *arena) copyPairs(pairs []*Pair) []*Pair { return copyInto(&a.freeEntries, pairs) }

// copyInto is a list of its own, nil for an empty one.
func copyInto[T any](free *[]*T, list []*T) []*T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if len(*free) < n {
		*free = make([]*T, max(n, maxArenaSize/4))
	}
	copied := (*free)[:n:n]
	*free = (*free)[n:]
	copy(copied, list)
	return copied
}
