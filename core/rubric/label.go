package rubric

import (
	"fmt"
	"strconv"
)

// Grade returns the grade as text: true, false or a number.
func (l Label) Grade() string {
	if l.Score != nil {
		return strconv.FormatFloat(*l.Score, 'f', -1, 64)
	}
	return strconv.FormatBool(*l.Satisfied)
}

// SetGrade sets the grade from such a text.
func (l *Label) SetGrade(grade string) error {
	if grade == "true" || grade == "false" {
		l.Satisfied = new(grade == "true")
		return nil
	}
	score, err := strconv.ParseFloat(grade, 64)
	if err != nil || !(score >= 0 && score <= 10) {
		return fmt.Errorf("the grade `%s` is not true, false or a number from 0 to 10", grade)
	}
	l.Score = &score
	return nil
}

// Equal reports whether two labels say the same, wherever they are written.
func (l Label) Equal(other Label) bool {
	return l.Case == other.Case && l.Criterion == other.Criterion && l.Turn == other.Turn && l.Grade() == other.Grade() &&
		l.Note == other.Note && l.By == other.By && l.At == other.At && l.Fingerprint == other.Fingerprint
}
