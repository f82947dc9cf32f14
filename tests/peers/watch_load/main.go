// Command watch_load opens many watches of one resource, writes to it at a rate and tells how late events arrive.
// Watches share some HTTP/2 connections, as those of controllers do. It prints one line of JSON.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "default"
	writers   = 10
	// marker stands before the time of a write, in nanoseconds, in what is written.
	marker = `"sent":"`
)

// quiet is how long the server is left alone before its memory is read.
const quiet = 2 * time.Second

type options struct {
	kubeconfig           string
	watches, connections int
	rate                 int
	duration             time.Duration
	pid                  int
}

type result struct {
	Writes     int64 `json:"writes"`
	Deliveries int   `json:"deliveries"`
	// Lost is how many deliveries had not come when the time was over.
	Lost int64 `json:"lost"`
	// Milliseconds from before a write was sent to when a watch had its event.
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
	// Kilobytes of resident memory: for every open watch at rest, and all in all before, with watches, and at the end.
	PerWatch float64 `json:"perWatchKB"`
	Before   int64   `json:"beforeKB"`
	Opened   int64   `json:"openedKB"`
	Loaded   int64   `json:"loadedKB"`
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "path of an administrator's kubeconfig")
	flag.IntVar(&o.watches, "watches", 1000, "how many watches")
	flag.IntVar(&o.connections, "connections", 10, "over how many connections; more where the server allows no further stream")
	flag.IntVar(&o.rate, "rate", 100, "writes per second")
	flag.DurationVar(&o.duration, "duration", 20*time.Second, "for how long is written")
	flag.IntVar(&o.pid, "pid", 0, "the server's process, for its memory")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), o.duration+2*time.Minute)
	defer cancel()
	got, err := measure(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(got); err != nil {
		os.Exit(1)
	}
}

func measure(ctx context.Context, o options) (*result, error) {
	writer, err := connect(o.kubeconfig)
	if err != nil {
		return nil, err
	}
	for i := range writers {
		if _, err := writer.do(ctx, http.MethodDelete, item(i), nil, http.StatusOK, http.StatusNotFound); err != nil {
			return nil, err
		}
		if _, err := writer.do(ctx, http.MethodPost, collection, body(i), http.StatusCreated); err != nil {
			return nil, err
		}
	}
	var got result
	time.Sleep(quiet)
	if got.Before, err = residentKB(o.pid); err != nil {
		return nil, err
	}
	watches, cancel := context.WithCancel(ctx)
	defer cancel()
	version, err := state(ctx, writer)
	if err != nil {
		return nil, err
	}
	followers, err := open(watches, version, o)
	if err != nil {
		return nil, err
	}
	time.Sleep(quiet)
	if got.Opened, err = residentKB(o.pid); err != nil {
		return nil, err
	}
	if got.Writes, err = write(ctx, writer, o); err != nil {
		return nil, err
	}
	expected := got.Writes * int64(o.watches)
	for wait := time.Now(); received.Load() < expected && time.Since(wait) < 20*time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	if got.Loaded, err = residentKB(o.pid); err != nil {
		return nil, err
	}
	cancel()
	got.Lost = expected - received.Load()
	got.PerWatch = float64(got.Opened-got.Before) / float64(o.watches)
	got.summarize(followers)
	return &got, nil
}

const collection = "/api/v1/namespaces/" + namespace + "/configmaps"

func item(i int) string { return fmt.Sprintf("%s/load-%d", collection, i) }

func body(i int) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"load-%d","labels":{"load":"yes"}},"data":{%s%d"}}`,
		i, marker, time.Now().UnixNano())
}

// client is one connection.
type client struct {
	http  *http.Client
	host  string
	token string
}

func connect(kubeconfig string) (*client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableCompression: true,
	}
	return &client{&http.Client{Transport: transport}, config.Host, config.BearerToken}, nil
}

func (c *client) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.host+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	return c.http.Do(request)
}

// do gives the body of an answer whose status is one of those wanted.
func (c *client) do(ctx context.Context, method, path string, body []byte, want ...int) ([]byte, error) {
	response, err := c.send(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && !slices.Contains(want, response.StatusCode) {
		err = fmt.Errorf("%s %s: %s %s", method, path, response.Status, text)
	}
	return text, err
}

// state is the revision from which watches see what is written next.
func state(ctx context.Context, c *client) (string, error) {
	text, err := c.do(ctx, http.MethodGet, collection+"?limit=1", nil, http.StatusOK)
	if err != nil {
		return "", err
	}
	var list metav1.List
	err = json.Unmarshal(text, &list)
	return list.ResourceVersion, err
}

// received counts the events of all watches.
var received atomic.Int64

type follower struct {
	// latencies in microseconds.
	latencies []uint32
	done      chan struct{}
}

// open starts the watches and waits until the server has answered all of them.
func open(ctx context.Context, version string, o options) ([]*follower, error) {
	connections := make([]*client, o.connections)
	for i := range connections {
		var err error
		if connections[i], err = connect(o.kubeconfig); err != nil {
			return nil, err
		}
	}
	followers := make([]*follower, o.watches)
	errs := make([]error, o.watches)
	var opened sync.WaitGroup
	slots := make(chan struct{}, 50)
	for i := range followers {
		followers[i] = &follower{latencies: make([]uint32, 0, o.rate*int(o.duration/time.Second)), done: make(chan struct{})}
		opened.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			path := collection + "?watch=true&labelSelector=load&resourceVersion=" + version
			response, err := connections[i%len(connections)].send(ctx, http.MethodGet, path, nil)
			if err == nil && response.StatusCode != http.StatusOK {
				err = fmt.Errorf("watch: %s", response.Status)
			}
			if errs[i] = err; err == nil {
				go followers[i].read(response.Body)
			}
		})
	}
	opened.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return followers, nil
}

func (f *follower) read(stream io.ReadCloser) {
	defer close(f.done)
	defer stream.Close()
	lines := bufio.NewReaderSize(stream, 4096)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		at := bytes.LastIndex(line, []byte(marker))
		if at < 0 {
			continue
		}
		number := line[at+len(marker):]
		sent, err := strconv.ParseInt(string(number[:bytes.IndexByte(number, '"')]), 10, 64)
		if err != nil {
			return
		}
		f.latencies = append(f.latencies, uint32((time.Now().UnixNano()-sent)/1000))
		received.Add(1)
	}
}

// write updates objects at the wanted rate, each writer its own, and gives how many writes were done. A write that is
// late does not delay the next one.
func write(ctx context.Context, c *client, o options) (int64, error) {
	var writes atomic.Int64
	results := make(chan error, writers)
	interval := writers * time.Second / time.Duration(o.rate)
	for i := range writers {
		start := time.Now().Add(interval * time.Duration(i) / writers)
		go func() {
			for n := time.Duration(0); n*interval < o.duration; n++ {
				time.Sleep(time.Until(start.Add(n * interval)))
				if _, err := c.do(ctx, http.MethodPut, item(i), body(i), http.StatusOK); err != nil {
					results <- err
					return
				}
				writes.Add(1)
			}
			results <- nil
		}()
	}
	for range writers {
		if err := <-results; err != nil {
			return 0, err
		}
	}
	return writes.Load(), nil
}

func (r *result) summarize(followers []*follower) {
	var all []uint32
	for _, f := range followers {
		<-f.done
		all = append(all, f.latencies...)
	}
	r.Deliveries = len(all)
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	at := func(share float64) float64 { return float64(all[int(share*float64(len(all)-1))]) / 1000 }
	r.P50, r.P90, r.P99, r.Max = at(0.5), at(0.9), at(0.99), at(1)
}

// residentKB reads the memory of a process; none for process 0.
func residentKB(pid int) (int64, error) {
	if pid == 0 {
		return 0, nil
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			return strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		}
	}
	return 0, fmt.Errorf("no resident memory in the status of process %d", pid)
}
