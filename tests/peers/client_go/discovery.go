package main

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

func discoveryAndMapper(ctx context.Context, c *cluster) error {
	config, log := recorded(c.config)
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	if version.Major != "1" || version.Minor != "36" {
		return fmt.Errorf("version %v", version)
	}
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	if err := log.each(func(one exchange) error {
		if one.url != config.Host+"/version?timeout=32s" && one.status != 200 {
			return fmt.Errorf("answered with %d", one.status)
		}
		return nil
	}); err != nil {
		return err
	}
	deletable := discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "watch", "delete"}}, lists)
	if len(deletable) < 20 {
		return fmt.Errorf("%d group versions to delete in", len(deletable))
	}
	if err := published(client); err != nil {
		return err
	}
	cached := memory.NewMemCacheClient(client)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	if err := mapsBuiltIn(mapper, cached); err != nil {
		return err
	}
	return withGadgets(ctx, c, func(resource schema.GroupVersionResource) error {
		return eventually(ctx, "the mapper knows the new kind", func() (bool, error) {
			mapper.Reset()
			mapping, err := mapper.RESTMapping(schema.GroupKind{Group: resource.Group, Kind: "Gadget"})
			if meta.IsNoMatchError(err) {
				return false, nil
			}
			return err == nil && mapping.Resource == resource, err
		})
	})
}

// published reads the documents that kubectl reads.
func published(client *discovery.DiscoveryClient) error {
	document, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	definitions := document.GetDefinitions().GetAdditionalProperties()
	if len(definitions) < 500 {
		return fmt.Errorf("%d definitions in the v2 document", len(definitions))
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	for _, path := range []string{"api/v1", "apis/apps/v1", "version"} {
		schema, err := paths[path].Schema("application/json")
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if len(schema) == 0 {
			return fmt.Errorf("the document of %s is empty", path)
		}
	}
	return nil
}

func mapsBuiltIn(mapper *restmapper.DeferredDiscoveryRESTMapper, cached discovery.CachedDiscoveryInterface) error {
	expanded := restmapper.NewShortcutExpander(mapper, cached, nil)
	for short, want := range map[string]string{"deploy": "deployments", "po": "pods", "hpa": "horizontalpodautoscalers", "crd": "customresourcedefinitions"} {
		got, err := expanded.ResourceFor(schema.GroupVersionResource{Resource: short})
		if err != nil {
			return err
		}
		if got.Resource != want {
			return fmt.Errorf("%s is %v", short, got)
		}
	}
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"})
	if err != nil {
		return err
	}
	if mapping.Resource.Version != "v2" || mapping.Scope.Name() != meta.RESTScopeNameNamespace {
		return fmt.Errorf("mapped to %v", mapping)
	}
	all, found := restmapper.NewDiscoveryCategoryExpander(cached).Expand("all")
	if !found || !slices.Contains(all, schema.GroupResource{Group: "apps", Resource: "deployments"}) {
		return fmt.Errorf("category all is %v", all)
	}
	return nil
}
