package main

import (
	"context"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/utils/ptr"
)

// gadgets defines a resource whose group nobody else has.
func gadgets(group string) *apiextensionsv1.CustomResourceDefinition {
	number := apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32", Minimum: ptr.To(0.0)}
	object := func(properties map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	root := object(map[string]apiextensionsv1.JSONSchemaProps{
		"spec": object(map[string]apiextensionsv1.JSONSchemaProps{
			"replicas": number,
			"size":     {Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"small"`)}},
			"parts": {
				Type: "array", XListType: ptr.To("map"), XListMapKeys: []string{"name"},
				Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", Required: []string{"name"},
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"name": {Type: "string"}, "count": number},
				}},
			},
		}),
		"status": object(map[string]apiextensionsv1.JSONSchemaProps{"replicas": number}),
	})
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gadgets." + group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: group, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "gadgets", Singular: "gadget", Kind: "Gadget", ListKind: "GadgetList", ShortNames: []string{"gd"},
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
					Scale: &apiextensionsv1.CustomResourceSubresourceScale{
						SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas",
					},
				},
			}},
		},
	}
}

// withGadgets serves the resource for the time of body.
func withGadgets(ctx context.Context, c *cluster, body func(schema.GroupVersionResource) error) error {
	client, err := apiextensions.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	definition, err := definitions.Create(ctx, gadgets(c.namespace+".example.com"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	defer definitions.Delete(context.WithoutCancel(ctx), definition.Name, metav1.DeleteOptions{})
	err = eventually(ctx, "established", func() (bool, error) {
		got, err := definitions.Get(ctx, definition.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range got.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	return body(schema.GroupVersionResource{Group: definition.Spec.Group, Version: "v1", Resource: "gadgets"})
}

func gadget(resource schema.GroupVersionResource, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": resource.GroupVersion().String(), "kind": "Gadget", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

func customResource(ctx context.Context, c *cluster) error {
	return withGadgets(ctx, c, func(resource schema.GroupVersionResource) error {
		client, err := dynamic.NewForConfig(c.config)
		if err != nil {
			return err
		}
		objects := client.Resource(resource).Namespace(c.namespace)
		if err := customLifecycle(ctx, resource, objects); err != nil {
			return err
		}
		if err := customRefusals(ctx, resource, objects); err != nil {
			return err
		}
		return customScale(ctx, c, resource, objects)
	})
}

func customLifecycle(ctx context.Context, resource schema.GroupVersionResource, objects dynamic.ResourceInterface) error {
	watcher, err := objects.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	created, err := objects.Create(ctx, gadget(resource, "a", map[string]any{"replicas": int64(1)}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if size, _, _ := unstructured.NestedString(created.Object, "spec", "size"); size != "small" {
		return fmt.Errorf("no default in %v", created)
	}
	created.SetLabels(map[string]string{"updated": "yes"})
	updated, err := objects.Update(ctx, created, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	patched, err := objects.Patch(ctx, "a", types.MergePatchType, []byte(`{"spec": {"size": "big"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if patched.GetGeneration() != updated.GetGeneration()+1 {
		return fmt.Errorf("generation %d after a patch", patched.GetGeneration())
	}
	applied := gadget(resource, "a", map[string]any{"parts": []any{map[string]any{"name": "wheel", "count": int64(4)}}})
	owned, err := objects.Apply(ctx, "a", applied, metav1.ApplyOptions{FieldManager: "applier"})
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedField(owned.Object, int64(1), "status", "replicas"); err != nil {
		return err
	}
	if _, err := objects.UpdateStatus(ctx, owned, metav1.UpdateOptions{}); err != nil {
		return err
	}
	list, err := objects.List(ctx, metav1.ListOptions{LabelSelector: "updated=yes"})
	if err != nil {
		return err
	}
	if len(list.Items) != 1 || list.GetKind() != "GadgetList" {
		return fmt.Errorf("listed %v", list)
	}
	if err := objects.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for i, want := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Modified, watch.Modified, watch.Deleted} {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		if event.Type != want {
			return fmt.Errorf("event %d: %s", i, event.Type)
		}
	}
	return nil
}

func customRefusals(ctx context.Context, resource schema.GroupVersionResource, objects dynamic.ResourceInterface) error {
	wrong := gadget(resource, "wrong", map[string]any{"replicas": int64(-1)})
	if _, err := objects.Create(ctx, wrong, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		return fmt.Errorf("a negative number: %v", err)
	}
	unknown := gadget(resource, "unknown", map[string]any{"colour": "red"})
	_, err := objects.Create(ctx, unknown, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), `unknown field "spec.colour"`) {
		return fmt.Errorf("an unknown field: %v", err)
	}
	pruned, err := objects.Create(ctx, unknown, metav1.CreateOptions{FieldValidation: metav1.FieldValidationIgnore})
	if err != nil {
		return err
	}
	if _, found, _ := unstructured.NestedString(pruned.Object, "spec", "colour"); found {
		return fmt.Errorf("not pruned: %v", pruned)
	}
	return nil
}

func customScale(ctx context.Context, c *cluster, resource schema.GroupVersionResource, objects dynamic.ResourceInterface) error {
	if _, err := objects.Create(ctx, gadget(resource, "s", map[string]any{"replicas": int64(2)}), metav1.CreateOptions{}); err != nil {
		return err
	}
	found, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))
	kinds := scale.NewDiscoveryScaleKindResolver(found)
	client, err := scale.NewForConfig(c.config, mapper, dynamic.LegacyAPIPathResolverFunc, kinds)
	if err != nil {
		return err
	}
	scales := client.Scales(c.namespace)
	got, err := scales.Get(ctx, resource.GroupResource(), "s", metav1.GetOptions{})
	if err != nil {
		return err
	}
	got.Spec.Replicas += 5
	updated, err := scales.Update(ctx, resource.GroupResource(), got, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if updated.Spec.Replicas != 7 {
		return fmt.Errorf("scaled to %v", updated)
	}
	return nil
}
