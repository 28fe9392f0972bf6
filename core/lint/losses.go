package lint

// reportLosses reports what the lowering lost of one kind. Most of what a runner drops
// does not fit the field table and is reported as that; these kinds do.
func (p *Pass) reportLosses(kind, message string) {
	for _, loss := range p.Suite.Losses {
		if loss.Kind == kind {
			p.Report(loss.Span, "%s", message)
		}
	}
}
