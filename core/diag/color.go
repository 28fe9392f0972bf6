package diag

const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	blue   = "1;34"
	cyan   = "36"
)

var severityColors = [...]string{Error: red, Warning: yellow, Info: blue, Hint: cyan}

func (r Renderer) colorize(color, s string) string {
	if !r.Color || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}
