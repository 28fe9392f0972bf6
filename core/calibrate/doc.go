// Package calibrate tells how a judge agrees with people: per criterion the share
// of equal grades, Cohen's κ with its confidence interval, the confusion matrix and,
// for scores, the mean absolute error; and which criteria tell no case from another.
//
// It is arithmetic over stored records and labels: nothing is judged here.
package calibrate
