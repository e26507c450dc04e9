// An example of sending a message to a browser.

package webpush_test

import (
	"context"
	"fmt"
	"time"

	"flats/internal/webpush"
)

// The server keeps its key, and what a browser has sent when it subscribed. The keys here are those of RFC 8291,
// appendix A.
func Example() {
	stored := webpush.NewKey().String()

	key, err := webpush.ParseKey(stored)
	if err != nil {
		fmt.Println(err)
		return
	}
	browser, err := webpush.NewSubscription("https://push.example/send/1234",
		"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		"BTBZMqHH6r4Tts7J_aSIgg")
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := browser.Request(context.Background(), key, "mailto:ann@example.com", webpush.Message{
		Content: []byte("Two new flats"),
		TTL:     24 * time.Hour,
		Topic:   "news",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(request.Method, request.URL)
	fmt.Println(request.Header.Get("Content-Encoding"), request.Header.Get("TTL"), request.Header.Get("Topic"))
	// Output:
	// POST https://push.example/send/1234
	// aes128gcm 86400 news
}
