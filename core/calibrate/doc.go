// Package calibrate measures how well a judge agrees with people. For each criterion it computes
// the share of equal grades, Cohen's κ with its confidence interval, the confusion matrix and,
// for scores, the mean absolute error. It also finds criteria that always get the same grade.
//
// It is arithmetic over stored records and labels; nothing is judged here.
package calibrate
