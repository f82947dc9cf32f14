package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

// informersThat stream their lists, or list and then watch: typed, metadata and dynamic ones.
func informersThat(stream bool) func(context.Context, *cluster) error {
	return func(ctx context.Context, c *cluster) error {
		gates, settable := clientfeatures.FeatureGates().(interface {
			Set(clientfeatures.Feature, bool) error
		})
		if !settable {
			return errors.New("the features of client-go cannot be set")
		}
		if err := gates.Set(clientfeatures.WatchListClient, stream); err != nil {
			return err
		}
		config, log := recorded(c.in(mediaProtobuf))
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		for i := range 40 {
			if err := createConfigMap(ctx, client, c.namespace, fmt.Sprintf("m%02d", i)); err != nil {
				return err
			}
		}
		followers, err := configMapFollowers(ctx, config, client, c.namespace)
		if err != nil {
			return err
		}
		if err := followConfigMaps(ctx, client, c.namespace, followers); err != nil {
			return err
		}
		if err := followGadgets(ctx, c, config); err != nil {
			return err
		}
		return startedAs(log, stream)
	}
}

func createConfigMap(ctx context.Context, client kubernetes.Interface, ns, name string) error {
	wanted := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"made": "yes"}}}
	_, err := client.CoreV1().ConfigMaps(ns).Create(ctx, wanted, metav1.CreateOptions{})
	return err
}

// follower is a running informer with what its handler has heard.
type follower struct {
	kind   string
	store  cache.Store
	events chan string
}

// follow starts an informer and waits until it has everything that is there.
func follow(ctx context.Context, kind string, informer cache.SharedIndexInformer) (*follower, error) {
	f := &follower{kind: kind, store: informer.GetStore(), events: make(chan string, 1000)}
	tell := func(what string, object any) {
		if accessor, err := meta.Accessor(object); err == nil {
			f.events <- what + " " + accessor.GetName()
		}
	}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("added", object) },
		UpdateFunc: func(_, object any) { tell("updated", object) },
		DeleteFunc: func(object any) { tell("deleted", object) },
	})
	if err != nil {
		return nil, err
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return nil, fmt.Errorf("%s informer: %w", kind, ctx.Err())
	}
	return f, nil
}

// hears fails unless the next event is this one.
func (f *follower) hears(ctx context.Context, want string) error {
	select {
	case got := <-f.events:
		if got != want {
			return fmt.Errorf("%s informer: %s instead of %s", f.kind, got, want)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s informer: waiting for %s: %w", f.kind, want, ctx.Err())
	}
}

func configMapFollowers(ctx context.Context, config *rest.Config, client kubernetes.Interface, ns string) ([]*follower, error) {
	metadatas, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	dynamics, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	typed := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(ns))
	ofMetadata := metadatainformer.NewFilteredSharedInformerFactory(metadatas, 0, ns, nil)
	ofAny := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamics, 0, ns, nil)
	var followers []*follower
	for kind, informer := range map[string]cache.SharedIndexInformer{
		"typed":    typed.Core().V1().ConfigMaps().Informer(),
		"metadata": ofMetadata.ForResource(configMaps).Informer(),
		"dynamic":  ofAny.ForResource(configMaps).Informer(),
	} {
		f, err := follow(ctx, kind, informer)
		if err != nil {
			return nil, err
		}
		followers = append(followers, f)
	}
	listed, err := typed.Core().V1().ConfigMaps().Lister().ConfigMaps(ns).List(labels.SelectorFromSet(labels.Set{"made": "yes"}))
	if err == nil && len(listed) != 40 {
		err = fmt.Errorf("the lister has %d", len(listed))
	}
	return followers, err
}

func followConfigMaps(ctx context.Context, client kubernetes.Interface, ns string, followers []*follower) error {
	// A controller may have put the cluster's authority there as well.
	for _, f := range followers {
		if count := len(f.store.List()); count < 40 {
			return fmt.Errorf("%s informer has %d", f.kind, count)
		}
		for len(f.events) > 0 {
			<-f.events
		}
	}
	if err := createConfigMap(ctx, client, ns, "new"); err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(ns)
	changed := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "new"}, Data: map[string]string{"a": "1"}}
	if _, err := maps.Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "new", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, f := range followers {
		for _, want := range []string{"added new", "updated new", "deleted new"} {
			if err := f.hears(ctx, want); err != nil {
				return err
			}
		}
	}
	return nil
}

func followGadgets(ctx context.Context, c *cluster, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	return withGadgets(ctx, c, func(resource schema.GroupVersionResource) error {
		stop, cancel := context.WithCancel(ctx)
		defer cancel()
		objects := client.Resource(resource).Namespace(c.namespace)
		if _, err := objects.Create(ctx, gadget(resource, "first", map[string]any{}), metav1.CreateOptions{}); err != nil {
			return err
		}
		factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, c.namespace, nil)
		f, err := follow(stop, "custom", factory.ForResource(resource).Informer())
		if err != nil {
			return err
		}
		if _, err := objects.Create(ctx, gadget(resource, "second", map[string]any{}), metav1.CreateOptions{}); err != nil {
			return err
		}
		if err := objects.Delete(ctx, "first", metav1.DeleteOptions{}); err != nil {
			return err
		}
		for _, want := range []string{"added first", "added second", "deleted first"} {
			if err := f.hears(ctx, want); err != nil {
				return err
			}
		}
		return nil
	})
}

// startedAs fails unless informers got what was there out of their watches, or out of lists.
func startedAs(log *exchanges, stream bool) error {
	streams, lists := 0, 0
	err := log.each(func(one exchange) error {
		at, err := url.Parse(one.url)
		if err != nil || one.method != "GET" {
			return err
		}
		query := at.Query()
		switch {
		case query.Get("sendInitialEvents") == "true":
			streams++
		case query.Get("watch") == "" && (strings.HasSuffix(at.Path, "/configmaps") || strings.HasSuffix(at.Path, "/gadgets")):
			lists++
		}
		return nil
	})
	if err == nil && (streams > 0) != stream || (lists > 0) == stream {
		err = fmt.Errorf("%d streams and %d lists", streams, lists)
	}
	return err
}
