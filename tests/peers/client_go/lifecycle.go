package main

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

type object interface {
	runtime.Object
	metav1.Object
}

// typedClient is what every typed client offers for its kind.
type typedClient[T object, L runtime.Object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Get(context.Context, string, metav1.GetOptions) (T, error)
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

var patches = []struct {
	kind types.PatchType
	body string
}{
	{types.JSONPatchType, `[{"op": "add", "path": "/metadata/annotations", "value": {"json": "1"}}]`},
	{types.MergePatchType, `{"metadata": {"annotations": {"merge": "2"}}}`},
	{types.StrategicMergePatchType, `{"metadata": {"annotations": {"strategic": "3"}}}`},
}

// lifecycle takes one object from create to delete under a watch. Other is a client of the same resource that speaks
// another media type: both have to see the same.
func lifecycle[T object, L runtime.Object](ctx context.Context, client, other typedClient[T, L], wanted T) error {
	name := wanted.GetName()
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	selector := metav1.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: accessor.GetResourceVersion()}
	watcher, err := client.Watch(ctx, selector)
	if err != nil {
		return err
	}
	defer watcher.Stop()

	states, err := writes(ctx, client, wanted)
	if err != nil {
		return err
	}
	last := states[len(states)-1]
	if err := seenBy(ctx, client, other, last); err != nil {
		return err
	}
	uid := last.GetUID()
	once := metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid}, GracePeriodSeconds: new(int64),
		// Jobs would wait for a garbage collector to orphan their pods.
		PropagationPolicy: ptr.To(metav1.DeletePropagationBackground),
	}
	if err := client.Delete(ctx, name, once); err != nil {
		return err
	}
	if _, err := client.Get(ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("got after its delete: %v", err)
	}
	return told(ctx, watcher, states)
}

// writes gives what each of the writes answered.
func writes[T object, L runtime.Object](ctx context.Context, client typedClient[T, L], wanted T) ([]T, error) {
	created, err := client.Create(ctx, wanted, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		return nil, err
	}
	if created.GetUID() == "" || created.GetResourceVersion() == "" || created.GetCreationTimestamp() == (metav1.Time{}) {
		return nil, fmt.Errorf("no identity in %v", created)
	}
	changed := created.DeepCopyObject().(T)
	changed.SetLabels(map[string]string{"updated": "yes"})
	tried, err := client.Update(ctx, changed, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return nil, err
	}
	if tried.GetResourceVersion() != created.GetResourceVersion() {
		return nil, fmt.Errorf("a dry run moved to revision %s", tried.GetResourceVersion())
	}
	updated, err := client.Update(ctx, changed, metav1.UpdateOptions{})
	if err != nil {
		return nil, err
	}
	same, err := client.Update(ctx, updated, metav1.UpdateOptions{})
	if err != nil || same.GetResourceVersion() != updated.GetResourceVersion() {
		return nil, fmt.Errorf("an update that changes nothing gave %v, %v", same, err)
	}
	if _, err := client.Update(ctx, changed, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return nil, fmt.Errorf("an update of an old state: %v", err)
	}
	states := []T{created, updated}
	for _, patch := range patches {
		patched, err := client.Patch(ctx, wanted.GetName(), patch.kind, []byte(patch.body), metav1.PatchOptions{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", patch.kind, err)
		}
		states = append(states, patched)
	}
	return states, nil
}

// seenBy fails unless get and list show an object to clients of both media types as its last write has answered it.
func seenBy[T object, L runtime.Object](ctx context.Context, client, other typedClient[T, L], want T) error {
	for _, reader := range []typedClient[T, L]{client, other} {
		got, err := reader.Get(ctx, want.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		if !equality.Semantic.DeepEqual(got, want) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		list, err := reader.List(ctx, metav1.ListOptions{LabelSelector: "updated in (yes)"})
		if err != nil {
			return err
		}
		items, err := meta.ExtractList(list)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(items, func(item runtime.Object) bool { return equality.Semantic.DeepEqual(item, want) }) {
			return fmt.Errorf("not in the list: %v", items)
		}
	}
	return nil
}

// told fails unless a watch shows the states of an object in their order, and its end.
func told[T object](ctx context.Context, watcher watch.Interface, states []T) error {
	for i, want := range states {
		kind := watch.Modified
		if i == 0 {
			kind = watch.Added
		}
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		if event.Type != kind || !equality.Semantic.DeepEqual(event.Object, want) {
			return fmt.Errorf("event %d: %s %v, want %s %v", i, event.Type, event.Object, kind, want)
		}
	}
	// Pods and namespaces are marked before they go.
	for {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		if event.Type == watch.Deleted {
			return nil
		}
		if marked, err := meta.Accessor(event.Object); err != nil || marked.GetDeletionTimestamp() == nil {
			return fmt.Errorf("instead of a deletion: %s %v", event.Type, event.Object)
		}
	}
}

func next(ctx context.Context, watcher watch.Interface) (watch.Event, error) {
	select {
	case event, open := <-watcher.ResultChan():
		if !open {
			return event, fmt.Errorf("the watch has ended")
		}
		if event.Type == watch.Error {
			return event, apierrors.FromObject(event.Object)
		}
		return event, nil
	case <-ctx.Done():
		return watch.Event{}, fmt.Errorf("waiting for an event: %w", ctx.Err())
	}
}
