// Package direct asks servers over HTTP/1.1 in the clear, as models on the desk and in
// a cluster are asked, on the goroutine that asks: it writes the request, and reads the
// reply. [http.Transport] hands each of them to a goroutine of the connection's own and
// back, which costs a run whose models answer at once a tenth of its time; see the
// benchmark. How messages are written is net/http's alone, and whatever needs TLS or a
// proxy, or is large, goes through it.
package direct
