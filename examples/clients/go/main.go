// Reads a timeline page by page, posts, meets an error by its code, and waits for a new tweet. Prints a line of JSON for each.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"strings"

	"example.org/murmuration-client/murmuration"
	"github.com/Khan/genqlient/graphql"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func tell(name string, what any) {
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{name: what}); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	url, authorization := os.Getenv("API_URL"), "Bearer "+os.Getenv("TOKEN")
	client := graphql.NewClient(url, &http.Client{Transport: withToken{authorization}})

	contents, newest := []string{}, (*string)(nil)
	for after, hasNext := (*string)(nil), true; hasNext; {
		page, err := murmuration.Timeline(ctx, client, 2, after)
		if err != nil {
			return err
		}
		if page.Viewer == nil || page.Viewer.Timeline == nil {
			return errors.New("the token must be of a user")
		}
		timeline := page.Viewer.Timeline
		for _, edge := range timeline.Edges {
			contents = append(contents, edge.Node.Content)
			if newest == nil {
				newest = &edge.Cursor
			}
		}
		after, hasNext = timeline.PageInfo.EndCursor, timeline.PageInfo.HasNextPage
	}
	tell("timeline", contents)

	posted, err := murmuration.Post(ctx, client, "Hello from Go", rand.Text())
	if err != nil {
		return err
	}
	tell("posted", posted.CreateTweet.Tweet.Content)

	_, err = murmuration.Like(ctx, client, "nothing")
	var failures gqlerror.List
	if errors.As(err, &failures) {
		tell("code", failures[0].Extensions["code"])
	}

	sockets := graphql.NewClientUsingWebSocket(
		strings.Replace(url, "http", "ws", 1),
		dialer{websocket.DefaultDialer},
		graphql.WithConnectionParams(map[string]any{"authorization": authorization}),
	)
	if _, err := sockets.Start(ctx); err != nil {
		return err
	}
	defer sockets.Close()
	events, _, err := murmuration.NewTweet(ctx, sockets, newest)
	if err != nil {
		return err
	}
	tell("listening", true)
	event, isOpen := <-events
	if !isOpen {
		return errors.New("the stream ended without an event")
	}
	if event.Errors != nil {
		return event.Errors
	}
	tell("event", event.Data.TimelineTweet.Node.Content)
	return nil
}

// withToken sends the token with each request.
type withToken struct{ authorization string }

func (t withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("authorization", t.authorization)
	return http.DefaultTransport.RoundTrip(request)
}

// dialer opens WebSockets for genqlient.
type dialer struct{ *websocket.Dialer }

func (d dialer) DialContext(ctx context.Context, url string, header http.Header) (graphql.WSConn, error) {
	connection, _, err := d.Dialer.DialContext(ctx, url, header)
	return connection, err
}
