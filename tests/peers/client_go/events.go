package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// eventRecorders writes through both of client-go's recorders: each counts what is the same in one event.
func eventRecorders(ctx context.Context, c *cluster) error {
	client, err := kubernetes.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	about := &corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: c.namespace, Name: "p", UID: "u"}

	old := record.NewBroadcaster(record.WithContext(ctx))
	defer old.Shutdown()
	old.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events(c.namespace)})
	recorder := old.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "old"})
	for range 3 {
		recorder.Event(about, corev1.EventTypeWarning, "Because", "it is so")
	}
	err = eventually(ctx, "an event is counted", func() (bool, error) {
		list, err := client.EventsV1().Events(c.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=Because"})
		return err == nil && len(list.Items) == 1 && list.Items[0].DeprecatedCount == 3, err
	})
	if err != nil {
		return err
	}

	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	series := broadcaster.NewRecorder(scheme.Scheme, "example.com/new")
	seen := func(want func(eventsv1.Event) bool) func() (bool, error) {
		return func() (bool, error) {
			list, err := client.EventsV1().Events(c.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=Again"})
			return err == nil && len(list.Items) == 1 && want(list.Items[0]), err
		}
	}
	series.Eventf(about, nil, corev1.EventTypeNormal, "Again", "Watching", "it is %s", "so")
	err = eventually(ctx, "a new event is there", seen(func(e eventsv1.Event) bool { return e.Regarding.Name == "p" }))
	if err != nil {
		return err
	}
	series.Eventf(about, nil, corev1.EventTypeNormal, "Again", "Watching", "it is %s", "so")
	return eventually(ctx, "it is a series", seen(func(e eventsv1.Event) bool { return e.Series != nil && e.Series.Count == 2 }))
}
