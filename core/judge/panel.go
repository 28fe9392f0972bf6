package judge

import "context"

// Seat is one judge of a panel, and the name by which its opinions are kept.
type Seat struct {
	Name  string
	Judge Judge
}

// Panel is a judge whose samples are its seats' opinions: of n seats, sample s of a
// question is sample s÷n of seat s mod n, so that n times as many samples have each
// seat asked as often as one judge would be. An answer says whose it is.
func Panel(seats ...Seat) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		seat := seats[q.Sample%len(seats)]
		q.Sample /= len(seats)
		a, err := seat.Judge.Ask(ctx, q)
		a.Judge = seat.Name
		return a, err
	})
}
