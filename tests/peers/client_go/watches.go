package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/utils/ptr"
)

var watches = inBothTypes(map[string]part{
	"selector": selectedWatch, "initial events": initialEvents, "time limit": limitedWatch, "until": watchUntil,
})

// selectedWatch sees an object come and go with its labels.
func selectedWatch(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	maps := client.CoreV1().ConfigMaps(ns)
	defer maps.Delete(ctx, "moving", metav1.DeleteOptions{})
	watcher, err := maps.Watch(ctx, metav1.ListOptions{LabelSelector: "here"})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	if err := createConfigMap(ctx, client, ns, "moving"); err != nil {
		return err
	}
	for _, labels := range []string{`{"here": "1"}`, `{"here": "2"}`, `{"here": null}`} {
		body := []byte(`{"metadata": {"labels": ` + labels + `}}`)
		if _, err := maps.Patch(ctx, "moving", types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		if event.Type != want {
			return fmt.Errorf("%s instead of %s", event.Type, want)
		}
	}
	return nil
}

// initialEvents has what is there told by a watch, up to the bookmark that says so.
func initialEvents(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	maps := client.CoreV1().ConfigMaps(ns)
	defer maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "made"})
	for i := range 3 {
		if err := createConfigMap(ctx, client, ns, fmt.Sprintf("initial-%d", i)); err != nil {
			return err
		}
	}
	watcher, err := maps.Watch(ctx, metav1.ListOptions{
		LabelSelector: "made", AllowWatchBookmarks: true, SendInitialEvents: ptr.To(true),
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	for i := range 3 {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		got, typed := event.Object.(*corev1.ConfigMap)
		if event.Type != watch.Added || !typed || got.Name != fmt.Sprintf("initial-%d", i) {
			return fmt.Errorf("event %d: %v", i, event)
		}
	}
	event, err := next(ctx, watcher)
	if err != nil {
		return err
	}
	mark, err := meta.Accessor(event.Object)
	if err != nil {
		return err
	}
	if event.Type != watch.Bookmark || mark.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
		return fmt.Errorf("instead of the bookmark: %v", event)
	}
	return nil
}

func limitedWatch(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	watcher, err := client.CoreV1().ConfigMaps(ns).Watch(ctx, metav1.ListOptions{
		LabelSelector: "nobody", AllowWatchBookmarks: true, TimeoutSeconds: ptr.To[int64](1),
	})
	if err != nil {
		return err
	}
	for {
		select {
		case event, open := <-watcher.ResultChan():
			if !open {
				return nil
			}
			if event.Type != watch.Bookmark {
				return fmt.Errorf("got %v", event)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watchUntil waits with the tools of client-go, which carry on where a watch has ended.
func watchUntil(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	maps := client.CoreV1().ConfigMaps(ns)
	defer maps.Delete(ctx, "awaited", metav1.DeleteOptions{})
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if err := createConfigMap(ctx, client, ns, "awaited"); err != nil {
		return err
	}
	single := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "configmaps", ns, fields.OneTermEqualSelector("metadata.name", "awaited"))
	_, err = watchtools.Until(ctx, list.ResourceVersion, single, func(event watch.Event) (bool, error) {
		return event.Type == watch.Added, nil
	})
	return err
}
