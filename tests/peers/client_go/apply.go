package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var typedApply = inBothTypes(map[string]part{"deployment": applyDeployment, "service": applyService})

// applyDeployment lets two managers own parts of one deployment.
func applyDeployment(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	const name = "applied"
	deployments := client.AppsV1().Deployments(ns)
	defer deployments.Delete(ctx, name, metav1.DeleteOptions{})
	container := coreapply.Container().WithName("web").WithImage("registry.example/web:1.0").
		WithEnv(coreapply.EnvVar().WithName("A").WithValue("1"))
	template := coreapply.PodTemplateSpec().WithLabels(appLabels).WithSpec(coreapply.PodSpec().WithContainers(container))
	wanted := appsapply.Deployment(name, ns).WithSpec(appsapply.DeploymentSpec().WithReplicas(2).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(appLabels)).WithTemplate(template))
	first := metav1.ApplyOptions{FieldManager: "first"}
	created, err := deployments.Apply(ctx, wanted, first)
	if err != nil {
		return err
	}
	again, err := deployments.Apply(ctx, wanted, first)
	if err != nil || again.ResourceVersion != created.ResourceVersion {
		return fmt.Errorf("applied again: %v, %v", again, err)
	}
	scaled := appsapply.Deployment(name, ns).WithSpec(appsapply.DeploymentSpec().WithReplicas(5))
	_, err = deployments.Apply(ctx, scaled, metav1.ApplyOptions{FieldManager: "second"})
	if !apierrors.IsConflict(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) {
		return fmt.Errorf("a field of another manager: %v", err)
	}
	forced, err := deployments.Apply(ctx, scaled, metav1.ApplyOptions{FieldManager: "second", Force: true})
	if err != nil || *forced.Spec.Replicas != 5 {
		return fmt.Errorf("forced: %v, %v", forced, err)
	}
	// What the first manager owns no longer contains the replicas; what it takes back goes.
	owned, err := appsapply.ExtractDeployment(forced, "first")
	if err != nil || owned.Spec.Replicas != nil || len(owned.Spec.Template.Spec.Containers) != 1 {
		return fmt.Errorf("owned by the first: %v, %v", owned, err)
	}
	owned.Spec.Template.Spec.Containers[0].Env = nil
	left, err := deployments.Apply(ctx, owned, first)
	if err != nil {
		return err
	}
	if env := left.Spec.Template.Spec.Containers[0].Env; len(env) != 0 || *left.Spec.Replicas != 5 {
		return fmt.Errorf("left over: %v", left.Spec)
	}
	status := appsapply.Deployment(name, ns).WithStatus(appsapply.DeploymentStatus().WithReplicas(5))
	written, err := deployments.ApplyStatus(ctx, status, first)
	if err != nil || written.Status.Replicas != 5 {
		return fmt.Errorf("status: %v, %v", written, err)
	}
	return nil
}

// applyService adds to a list whose keys are two fields, one of them with a default.
func applyService(ctx context.Context, client *kubernetes.Clientset, ns string) error {
	const name = "applied"
	services := client.CoreV1().Services(ns)
	defer services.Delete(ctx, name, metav1.DeleteOptions{})
	port := func(number int32) *coreapply.ServicePortApplyConfiguration {
		return coreapply.ServicePort().WithName(fmt.Sprintf("p%d", number)).WithPort(number).
			WithTargetPort(intstr.FromInt32(number))
	}
	apply := func(manager string, number int32) (int, error) {
		wanted := coreapply.Service(name, ns).WithSpec(coreapply.ServiceSpec().WithPorts(port(number)))
		got, err := services.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: manager})
		if err != nil {
			return 0, err
		}
		return len(got.Spec.Ports), nil
	}
	for _, step := range []struct {
		manager string
		number  int32
		want    int
	}{{"first", 80, 1}, {"second", 81, 2}, {"first", 82, 2}} {
		ports, err := apply(step.manager, step.number)
		if err != nil {
			return err
		}
		if ports != step.want {
			return fmt.Errorf("%d ports after %v", ports, step)
		}
	}
	return nil
}
