package main

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
)

type warnings struct {
	lock sync.Mutex
	list []string
}

func (w *warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.list = append(w.list, text)
}

func errorKinds(ctx context.Context, c *cluster) error {
	for _, mediaType := range []string{mediaJSON, mediaProtobuf} {
		if err := errorsIn(ctx, c, mediaType); err != nil {
			return fmt.Errorf("%s: %w", mediaType, err)
		}
	}
	return nil
}

func errorsIn(ctx context.Context, c *cluster, mediaType string) error {
	config, warned := c.in(mediaType), &warnings{}
	config.WarningHandler = warned
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	maps, services := client.CoreV1().ConfigMaps(c.namespace), client.CoreV1().Services(c.namespace)
	named := func(name string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	if _, err := maps.Create(ctx, named("there"), metav1.CreateOptions{}); err != nil {
		return err
	}
	defer maps.Delete(ctx, "there", metav1.DeleteOptions{})
	nobody := rest.ImpersonationConfig{UserName: "nobody"}
	poor := rest.CopyConfig(config)
	poor.Impersonate = nobody
	stranger, err := kubernetes.NewForConfig(poor)
	if err != nil {
		return err
	}
	expired := metav1.ListOptions{Continue: "not a token"}
	for name, one := range map[string]struct {
		act func() error
		is  func(error) bool
	}{
		"not found":     {func() error { _, err := maps.Get(ctx, "none", metav1.GetOptions{}); return err }, apierrors.IsNotFound},
		"there already": {func() error { _, err := maps.Create(ctx, named("there"), metav1.CreateOptions{}); return err }, apierrors.IsAlreadyExists},
		"invalid": {func() error { _, err := maps.Create(ctx, named("Not_A_Name"), metav1.CreateOptions{}); return err }, func(err error) bool {
			return apierrors.IsInvalid(err) && apierrors.HasStatusCause(err, metav1.CauseTypeFieldValueInvalid)
		}},
		"bad request": {func() error { _, err := maps.List(ctx, expired); return err }, apierrors.IsBadRequest},
		"forbidden": {func() error {
			_, err := stranger.CoreV1().ConfigMaps(c.namespace).List(ctx, metav1.ListOptions{})
			return err
		}, apierrors.IsForbidden},
		"of a precondition": {func() error {
			return maps.Delete(ctx, "there", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(types.UID("other"))}})
		}, apierrors.IsConflict},
		"of a patch that does not apply": {func() error {
			_, err := maps.Patch(ctx, "there", types.JSONPatchType, []byte(`[{"op": "remove", "path": "/data/none"}]`), metav1.PatchOptions{})
			return err
		}, apierrors.IsInvalid},
		"not a method": {func() error { return client.CoreV1().RESTClient().Post().AbsPath("/api/v1/nodes/n").Do(ctx).Error() }, apierrors.IsMethodNotSupported},
		"not a media type": {func() error {
			return client.CoreV1().RESTClient().Get().AbsPath("/api/v1/nodes").SetHeader("Accept", "application/cbor").Do(ctx).Error()
		}, apierrors.IsNotAcceptable},
	} {
		if err := one.act(); !one.is(err) {
			return fmt.Errorf("error %s: %v", name, err)
		}
	}
	external := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "external"}, Spec: corev1.ServiceSpec{
		Ports: []corev1.ServicePort{{Port: 80}}, ExternalIPs: []string{"192.0.2.1"},
	}}
	if _, err := services.Create(ctx, external, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		return err
	}
	if len(warned.list) == 0 {
		return fmt.Errorf("no warning of external addresses")
	}
	return nil
}
