package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

var appLabels = map[string]string{"app": "web"}

func podSpec(restart corev1.RestartPolicy) corev1.PodSpec {
	return corev1.PodSpec{
		RestartPolicy: restart,
		Containers: []corev1.Container{{
			Name:  "web",
			Image: "registry.example/web:1.0",
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
			Env: []corev1.EnvVar{{Name: "NODE", ValueFrom: &corev1.EnvVarSource{
				FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"},
			}}},
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("64Mi"),
			}},
			ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
				HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromString("http")},
			}},
		}},
	}
}

func podTemplate(restart corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: appLabels}, Spec: podSpec(restart)}
}

func deployment(name string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{
		Replicas: ptr.To[int32](3), Selector: &metav1.LabelSelector{MatchLabels: appLabels},
		Template: podTemplate(corev1.RestartPolicyAlways),
	}}
}

func kindsIn(mediaType string) func(context.Context, *cluster) error {
	return func(ctx context.Context, c *cluster) error {
		config, log := recorded(c.in(mediaType))
		otherType := mediaJSON
		if mediaType == mediaJSON {
			otherType = mediaProtobuf
		}
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		other, err := kubernetes.NewForConfig(c.in(otherType))
		if err != nil {
			return err
		}
		for name, kind := range lifecycles(c.namespace, client, other) {
			if err := kind(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return log.onlyIn(mediaType)
	}
}

// lifecycles gives one for kinds whose fields cover what is particular on the wire: quantities, times, bytes, numbers or
// strings, maps, lists of structures.
func lifecycles(ns string, a, b kubernetes.Interface) map[string]func(context.Context) error {
	named := metav1.ObjectMeta{Name: "web"}
	global := metav1.ObjectMeta{Name: ns + "-web"}
	return map[string]func(context.Context) error{
		"ConfigMap": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().ConfigMaps(ns), b.CoreV1().ConfigMaps(ns), &corev1.ConfigMap{
				ObjectMeta: named, Data: map[string]string{"k": "ü"}, BinaryData: map[string][]byte{"b": {0, 0xff, 0xfe}},
			})
		},
		"Secret": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().Secrets(ns), b.CoreV1().Secrets(ns), &corev1.Secret{
				ObjectMeta: named, Type: corev1.SecretTypeOpaque, Data: map[string][]byte{"key": []byte("value")},
			})
		},
		"Pod": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().Pods(ns), b.CoreV1().Pods(ns), &corev1.Pod{
				ObjectMeta: named, Spec: podSpec(corev1.RestartPolicyNever),
			})
		},
		"Service": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().Services(ns), b.CoreV1().Services(ns), &corev1.Service{
				ObjectMeta: named, Spec: corev1.ServiceSpec{Selector: appLabels, Ports: []corev1.ServicePort{
					{Name: "http", Port: 80, TargetPort: intstr.FromString("http")},
					{Name: "metrics", Port: 9090, TargetPort: intstr.FromInt32(9090)},
				}},
			})
		},
		"LimitRange": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().LimitRanges(ns), b.CoreV1().LimitRanges(ns), &corev1.LimitRange{
				ObjectMeta: named, Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
					Type: corev1.LimitTypeContainer, Max: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1.5Gi")},
				}}},
			})
		},
		"Deployment": func(ctx context.Context) error {
			return lifecycle(ctx, a.AppsV1().Deployments(ns), b.AppsV1().Deployments(ns), deployment("web"))
		},
		"Job": func(ctx context.Context) error {
			return lifecycle(ctx, a.BatchV1().Jobs(ns), b.BatchV1().Jobs(ns), &batchv1.Job{
				ObjectMeta: named, Spec: batchv1.JobSpec{Template: podTemplate(corev1.RestartPolicyNever)},
			})
		},
		"HorizontalPodAutoscaler": func(ctx context.Context) error {
			clientA, clientB := a.AutoscalingV2().HorizontalPodAutoscalers(ns), b.AutoscalingV2().HorizontalPodAutoscalers(ns)
			return lifecycle(ctx, clientA, clientB, &autoscalingv2.HorizontalPodAutoscaler{
				ObjectMeta: named, Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
					ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
					MaxReplicas:    5,
				},
			})
		},
		"PodDisruptionBudget": func(ctx context.Context) error {
			clientA, clientB := a.PolicyV1().PodDisruptionBudgets(ns), b.PolicyV1().PodDisruptionBudgets(ns)
			return lifecycle(ctx, clientA, clientB, &policyv1.PodDisruptionBudget{
				ObjectMeta: named, Spec: policyv1.PodDisruptionBudgetSpec{
					MinAvailable: ptr.To(intstr.FromString("50%")), Selector: &metav1.LabelSelector{MatchLabels: appLabels},
				},
			})
		},
		"Lease": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoordinationV1().Leases(ns), b.CoordinationV1().Leases(ns), &coordinationv1.Lease{
				ObjectMeta: named, Spec: coordinationv1.LeaseSpec{
					HolderIdentity: ptr.To("me"), LeaseDurationSeconds: ptr.To[int32](15), RenewTime: ptr.To(metav1.NowMicro()),
				},
			})
		},
		"EndpointSlice": func(ctx context.Context) error {
			clientA, clientB := a.DiscoveryV1().EndpointSlices(ns), b.DiscoveryV1().EndpointSlices(ns)
			return lifecycle(ctx, clientA, clientB, &discoveryv1.EndpointSlice{
				ObjectMeta: named, AddressType: discoveryv1.AddressTypeIPv4,
				Endpoints: []discoveryv1.Endpoint{{
					Addresses: []string{"192.0.2.1"}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(true)},
				}},
				Ports: []discoveryv1.EndpointPort{{Name: ptr.To("http"), Port: ptr.To[int32](8080)}},
			})
		},
		"Ingress": func(ctx context.Context) error {
			backend := networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{
				Name: "web", Port: networkingv1.ServiceBackendPort{Number: 80},
			}}
			return lifecycle(ctx, a.NetworkingV1().Ingresses(ns), b.NetworkingV1().Ingresses(ns), &networkingv1.Ingress{
				ObjectMeta: named, Spec: networkingv1.IngressSpec{DefaultBackend: &backend},
			})
		},
		"Role": func(ctx context.Context) error {
			return lifecycle(ctx, a.RbacV1().Roles(ns), b.RbacV1().Roles(ns), &rbacv1.Role{
				ObjectMeta: named, Rules: []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}},
			})
		},
		"Node": func(ctx context.Context) error {
			return lifecycle(ctx, a.CoreV1().Nodes(), b.CoreV1().Nodes(), &corev1.Node{
				ObjectMeta: global, Spec: corev1.NodeSpec{Unschedulable: true},
				Status: corev1.NodeStatus{Capacity: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}},
			})
		},
		"PriorityClass": func(ctx context.Context) error {
			clientA, clientB := a.SchedulingV1().PriorityClasses(), b.SchedulingV1().PriorityClasses()
			return lifecycle(ctx, clientA, clientB, &schedulingv1.PriorityClass{ObjectMeta: global, Value: 1_000_000})
		},
	}
}
