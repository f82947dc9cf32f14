package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const (
	mediaJSON     = "application/json"
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
)

// cluster is what a check works with: a server and a namespace in it that nobody else uses.
type cluster struct {
	config    *rest.Config
	namespace string
}

func run(config *rest.Config, check check) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	start := time.Now()
	err := withNamespace(ctx, config, func(c *cluster) error { return check.run(ctx, c) })
	result := outcome{Name: check.name, Seconds: time.Since(start).Seconds()}
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

func withNamespace(ctx context.Context, config *rest.Config, body func(*cluster) error) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "client-go-"}}
	namespace, err := client.CoreV1().Namespaces().Create(ctx, wanted, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	failure := body(&cluster{config: config, namespace: namespace.Name})
	// The context of the check may be over.
	cleanUp, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(failure, client.CoreV1().Namespaces().Delete(cleanUp, namespace.Name, metav1.DeleteOptions{}))
}

// in is the configuration of clients that send and ask for a media type.
func (c *cluster) in(mediaType string) *rest.Config {
	config := rest.CopyConfig(c.config)
	config.ContentType, config.AcceptContentTypes = mediaType, mediaType
	return config
}

// part is a piece of a check that wants nothing but a typed client.
type part func(ctx context.Context, client *kubernetes.Clientset, namespace string) error

// inBothTypes does every part with a client that speaks JSON and with one that speaks protobuf.
func inBothTypes(parts map[string]part) func(context.Context, *cluster) error {
	return func(ctx context.Context, c *cluster) error {
		for _, mediaType := range []string{mediaJSON, mediaProtobuf} {
			client, err := kubernetes.NewForConfig(c.in(mediaType))
			if err != nil {
				return err
			}
			for name, part := range parts {
				if err := part(ctx, client, c.namespace); err != nil {
					return fmt.Errorf("%s in %s: %w", name, mediaType, err)
				}
			}
		}
		return nil
	}
}

// recorded adds a log of what is exchanged.
func recorded(config *rest.Config) (*rest.Config, *exchanges) {
	log := &exchanges{}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err == nil {
				log.add(request, response)
			}
			return response, err
		})
	})
	return config, log
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

type exchange struct {
	method, url, sent, got string
	status                 int
	// compressed tells that the transport has unpacked the answer.
	compressed bool
}

type exchanges struct {
	lock sync.Mutex
	list []exchange
}

func (e *exchanges) add(request *http.Request, response *http.Response) {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.list = append(e.list, exchange{
		method: request.Method, url: request.URL.String(), status: response.StatusCode, compressed: response.Uncompressed,
		sent: request.Header.Get("Content-Type"), got: response.Header.Get("Content-Type"),
	})
}

func (e *exchanges) each(body func(exchange) error) error {
	e.lock.Lock()
	defer e.lock.Unlock()
	for _, one := range e.list {
		if err := body(one); err != nil {
			return fmt.Errorf("%s %s: %w", one.method, one.url, err)
		}
	}
	return nil
}

// onlyIn fails unless everything that was answered, and every object that was sent, is of a media type.
func (e *exchanges) onlyIn(mediaType string) error {
	return e.each(func(one exchange) error {
		if !strings.HasPrefix(one.got, mediaType) {
			return fmt.Errorf("answered in %q", one.got)
		}
		if (one.method == http.MethodPost || one.method == http.MethodPut) && one.sent != mediaType {
			return fmt.Errorf("sent in %q", one.sent)
		}
		return nil
	})
}

// eventually asks until the answer is yes.
func eventually(ctx context.Context, what string, yes func() (bool, error)) error {
	err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, 20*time.Second, true, func(context.Context) (bool, error) {
		return yes()
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
