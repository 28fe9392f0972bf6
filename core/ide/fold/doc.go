// Package fold finds the ranges that an editor can collapse.
package fold
