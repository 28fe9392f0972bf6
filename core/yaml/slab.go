package yaml

// slab makes nodes, pairs and lists of them many at a time: a large text has
// millions.
type slab struct {
	nodes   []Node
	made    []Pair
	itemRow []*Node
	pairRow []*Pair
}

// A slab has room for what so many bytes of text come to, about, within bounds.
const (
	bytesPerNode = 32
	mostAtOnce   = 256
)

func room(bytes int) int { return min(bytes/bytesPerNode+4, mostAtOnce) }

// node makes one, with so many bytes of the text to come.
func (s *slab) node(bytes int) *Node {
	if len(s.nodes) == 0 {
		s.nodes = make([]Node, room(bytes))
	}
	n := &s.nodes[0]
	s.nodes = s.nodes[1:]
	return n
}

func (s *slab) newPair(key, value *Node, bytes int) *Pair {
	if len(s.made) == 0 {
		s.made = make([]Pair, room(bytes))
	}
	p := &s.made[0]
	s.made = s.made[1:]
	p.Key, p.Value = key, value
	return p
}

func (s *slab) listItems(items []*Node) []*Node { return copied(&s.itemRow, items) }

func (s *slab) listPairs(pairs []*Pair) []*Pair { return copied(&s.pairRow, pairs) }

// copied is a list of its own, nil for an empty one.
func copied[T any](row *[]*T, list []*T) []*T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if len(*row) < n {
		*row = make([]*T, max(n, mostAtOnce/4))
	}
	own := (*row)[:n:n]
	*row = (*row)[n:]
	copy(own, list)
	return own
}
