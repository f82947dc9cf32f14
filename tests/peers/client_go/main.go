// Command client_go works with an API server as controllers and operators do: through client-go, in JSON and protobuf.
// Every check has a namespace of its own; one line of JSON a check tells how it went. The exit code is 1 when one failed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// checkTimeout bounds each check, in case a server leaves a watch or a wait open.
const checkTimeout = 60 * time.Second

type check struct {
	name string
	run  func(ctx context.Context, c *cluster) error
}

var checks = []check{
	{"built-in kinds in JSON", kindsIn(mediaJSON)},
	{"built-in kinds in protobuf", kindsIn(mediaProtobuf)},
	{"subresources", subresources},
	{"a custom resource through the dynamic client", customResource},
	{"informers that stream their lists", informersThat(true)},
	{"informers that list and watch", informersThat(false)},
	{"watches with selectors, bookmarks and time limits", watches},
	{"leader election between two candidates", leaderElection},
	{"retry on conflict", retryOnConflict},
	{"pages of lists", pages},
	{"large answers are compressed", compression},
	{"server-side apply with typed configurations", typedApply},
	{"discovery and the mapper made of it", discoveryAndMapper},
	{"the metadata client", metadataClient},
	{"errors that client-go tells apart", errorKinds},
	{"deletion with finalizers, preconditions and in collections", deletion},
	{"events of recorders", eventRecorders},
}

type outcome struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Error   string  `json:"error,omitempty"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of an administrator's kubeconfig")
	only := flag.String("only", "", "run the checks whose name contains this")
	flag.Parse()
	// What reflectors and candidates log on their way is no fault of a check.
	klog.SetLogger(klog.Logger{})

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	config.QPS, config.Burst = -1, -1
	failed := false
	for _, check := range checks {
		if !strings.Contains(check.name, *only) {
			continue
		}
		result := run(config, check)
		failed = failed || result.Error != ""
		if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
			os.Exit(2)
		}
	}
	if failed {
		os.Exit(1)
	}
}
