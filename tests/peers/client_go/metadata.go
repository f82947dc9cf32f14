package main

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
)

func metadataClient(ctx context.Context, c *cluster) error {
	typed, err := kubernetes.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	config, log := recorded(c.config)
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	objects := client.Resource(configMaps).Namespace(c.namespace)
	watcher, err := objects.Watch(ctx, metav1.ListOptions{LabelSelector: "made"})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	if err := createConfigMap(ctx, typed, c.namespace, "seen"); err != nil {
		return err
	}
	got, err := objects.Get(ctx, "seen", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if got.Labels["made"] != "yes" || got.UID == "" {
		return fmt.Errorf("got %v", got)
	}
	body := []byte(`{"metadata": {"finalizers": ["example.com/held"]}}`)
	if _, err := objects.Patch(ctx, "seen", types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
		return err
	}
	list, err := objects.List(ctx, metav1.ListOptions{LabelSelector: "made=yes", Limit: 5})
	if err != nil {
		return err
	}
	if len(list.Items) != 1 || len(list.Items[0].Finalizers) != 1 {
		return fmt.Errorf("listed %v", list)
	}
	if err := objects.Delete(ctx, "seen", metav1.DeleteOptions{}); err != nil {
		return err
	}
	body = []byte(`{"metadata": {"finalizers": null}}`)
	if _, err := objects.Patch(ctx, "seen", types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
		return err
	}
	if _, err := objects.Get(ctx, "seen", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("after its last finalizer: %v", err)
	}
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Deleted} {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		if _, partial := event.Object.(*metav1.PartialObjectMetadata); event.Type != want || !partial {
			return fmt.Errorf("%s %v instead of %s", event.Type, event.Object, want)
		}
	}
	return log.each(func(one exchange) error {
		if one.status < 300 && !strings.HasPrefix(one.got, mediaProtobuf) {
			return fmt.Errorf("answered in %q", one.got)
		}
		return nil
	})
}
