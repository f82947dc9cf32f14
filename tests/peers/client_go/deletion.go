package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

var deletion = inBothTypes(map[string]part{
	"finalizer": heldByFinalizer, "policy": foreground, "grace": graceful, "collection": collection,
})

func heldByFinalizer(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	maps := client.CoreV1().ConfigMaps(ns)
	held := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "held", Finalizers: []string{"example.com/held"}}}
	if _, err := maps.Create(ctx, held, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "held", metav1.DeleteOptions{}); err != nil {
		return err
	}
	got, err := maps.Get(ctx, "held", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if got.DeletionTimestamp == nil {
		return fmt.Errorf("not marked: %v", got)
	}
	got.Finalizers = nil
	if _, err := maps.Update(ctx, got, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return isGone(ctx, client, ns, "held")
}

// foreground leaves an object to the garbage collector; what owns nothing may go at once or later.
func foreground(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	if err := createConfigMap(ctx, client, ns, "owner"); err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(ns)
	options := metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationForeground)}
	if err := maps.Delete(ctx, "owner", options); err != nil {
		return err
	}
	got, err := maps.Get(ctx, "owner", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil || len(got.Finalizers) != 1 || got.Finalizers[0] != metav1.FinalizerDeleteDependents {
		return fmt.Errorf("got %v, %v", got, err)
	}
	got.Finalizers = nil
	_, err = maps.Update(ctx, got, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func graceful(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	pods := client.CoreV1().Pods(ns)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "graceful"}, Spec: podSpec(corev1.RestartPolicyNever)}
	pod.Spec.NodeName = "nowhere"
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := pods.Delete(ctx, "graceful", metav1.DeleteOptions{}); err != nil {
		return err
	}
	got, err := pods.Get(ctx, "graceful", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if got.DeletionGracePeriodSeconds == nil || *got.DeletionGracePeriodSeconds != 30 {
		return fmt.Errorf("got %v", got)
	}
	return pods.Delete(ctx, "graceful", *metav1.NewDeleteOptions(0))
}

func collection(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	for i := range 5 {
		if err := createConfigMap(ctx, client, ns, fmt.Sprintf("many-%d", i)); err != nil {
			return err
		}
	}
	maps := client.CoreV1().ConfigMaps(ns)
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "made=yes"}); err != nil {
		return err
	}
	left, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "made"})
	if err == nil && len(left.Items) > 0 {
		err = fmt.Errorf("%d are left", len(left.Items))
	}
	return err
}

func isGone(ctx context.Context, client *kubernetes.Clientset, ns, name string) error {
	_, err := client.CoreV1().ConfigMaps(ns).Get(ctx, name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("%s is still there: %v", name, err)
	}
	return nil
}
