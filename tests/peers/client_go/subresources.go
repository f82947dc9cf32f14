package main

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

var subresources = inBothTypes(map[string]part{
	"scale": scaleOfDeployment, "pods": statusBindingAndEviction, "accounts": tokenOfAccount, "reviews": accessReview,
})

func scaleOfDeployment(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	deployments := client.AppsV1().Deployments(ns)
	defer deployments.Delete(ctx, "scaled", metav1.DeleteOptions{})
	created, err := deployments.Create(ctx, deployment("scaled"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	scale, err := deployments.GetScale(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if scale.Spec.Replicas != 3 || scale.Status.Selector != "app=web" {
		return fmt.Errorf("got %v", scale)
	}
	scale.Spec.Replicas = 5
	if _, err := deployments.UpdateScale(ctx, "scaled", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	got, err := deployments.Get(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if *got.Spec.Replicas != 5 || got.Generation != created.Generation+1 {
		return fmt.Errorf("%d replicas in generation %d", *got.Spec.Replicas, got.Generation)
	}
	got.Status.ObservedGeneration, got.Spec.Paused = got.Generation, true
	updated, err := deployments.UpdateStatus(ctx, got, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if updated.Spec.Paused || updated.Status.ObservedGeneration != got.Generation {
		return fmt.Errorf("a write of its status gave %v", updated)
	}
	return nil
}

func statusBindingAndEviction(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	pods := client.CoreV1().Pods(ns)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "bound", Labels: appLabels}, Spec: podSpec(corev1.RestartPolicyNever)}
	pod.Spec.TerminationGracePeriodSeconds = ptr.To[int64](0)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "bound"}, Target: corev1.ObjectReference{Kind: "Node", Name: "n"}}
	if err := pods.Bind(ctx, binding, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := pods.Bind(ctx, binding, metav1.CreateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("bound twice: %v", err)
	}
	got, err := pods.Get(ctx, "bound", metav1.GetOptions{})
	if err != nil {
		return err
	}
	got.Status.Phase = corev1.PodRunning
	got, err = pods.UpdateStatus(ctx, got, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	scheduled := got.Status.Conditions[0]
	if got.Spec.NodeName != "n" || got.Status.Phase != corev1.PodRunning || scheduled.Type != corev1.PodScheduled {
		return fmt.Errorf("got %v", got)
	}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "all"}, Spec: policyv1.PodDisruptionBudgetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: appLabels},
	}}
	if _, err := client.PolicyV1().PodDisruptionBudgets(ns).Create(ctx, budget, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := evict(ctx, client, ns, "bound"); !apierrors.IsTooManyRequests(err) {
		return fmt.Errorf("evicted in spite of a budget: %v", err)
	}
	if err := client.PolicyV1().PodDisruptionBudgets(ns).Delete(ctx, "all", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := evict(ctx, client, ns, "bound"); err != nil {
		return err
	}
	_, err = pods.Get(ctx, "bound", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("after its eviction: %v", err)
	}
	return nil
}

// evict asks once, where the typed client would ask again for a minute.
func evict(ctx context.Context, client *kubernetes.Clientset, ns, name string) error {
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name}}
	request := client.CoreV1().RESTClient().Post().Namespace(ns).Resource("pods").Name(name).SubResource("eviction")
	return request.Body(eviction).MaxRetries(0).Do(ctx).Error()
}

func tokenOfAccount(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}
	defer client.CoreV1().ServiceAccounts(ns).Delete(ctx, "robot", metav1.DeleteOptions{})
	if _, err := client.CoreV1().ServiceAccounts(ns).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		return err
	}
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: ptr.To[int64](3600)}}
	token, err := client.CoreV1().ServiceAccounts(ns).CreateToken(ctx, "robot", request, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}
	reviewed, err := client.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if want := "system:serviceaccount:" + ns + ":robot"; reviewed.Status.User.Username != want {
		return fmt.Errorf("the token is of %q: %s", reviewed.Status.User.Username, reviewed.Status.Error)
	}
	return nil
}

func accessReview(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: ns, Verb: "delete", Resource: "pods"},
	}}
	reviewed, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if !reviewed.Status.Allowed {
		return fmt.Errorf("the administrator may not: %v", reviewed.Status)
	}
	return nil
}
