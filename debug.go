// The debug server: profiles and variables, for who works on the program.

package main

import (
	"context"
	"expvar"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// serveDebug serves net/http/pprof and expvar below /debug/ until ctx is done.
func serveDebug(ctx context.Context, listener net.Listener, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.Handle("GET /debug/vars", expvar.Handler())
	server := &http.Server{Handler: local(mux), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	log.Info("serving profiles and variables", "url", "http://"+listener.Addr().String()+"/debug/pprof/")
	server.Serve(listener) // returns when it is closed
}

// local refuses requests that pages of other sites make.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isForeign := r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
		if isForeign || !knownHost(r.Host, "localhost") {
			http.Error(w, "only pages of this address may ask", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
