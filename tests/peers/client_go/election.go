package main

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type candidate struct {
	name   string
	resign context.CancelFunc
	gone   chan struct{}
}

// leaderElection lets two candidates ask for one lease: the second leads when the first resigns, and not before.
func leaderElection(ctx context.Context, c *cluster) error {
	client, err := kubernetes.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	leads := make(chan string, 2)
	first, err := stand(ctx, client, c.namespace, "first", leads)
	if err != nil {
		return err
	}
	if err := leader(ctx, leads, first); err != nil {
		return err
	}
	second, err := stand(ctx, client, c.namespace, "second", leads)
	if err != nil {
		return err
	}
	renewed, err := renewal(ctx, client, c.namespace)
	if err != nil {
		return err
	}
	if holder := *renewed.Spec.HolderIdentity; holder != "first" {
		return fmt.Errorf("%s holds the lease of the first", holder)
	}
	first.resign()
	if err := leader(ctx, leads, second); err != nil {
		return err
	}
	<-first.gone
	lease, err := client.CoordinationV1().Leases(c.namespace).Get(ctx, "leader", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if *lease.Spec.HolderIdentity != "second" || *lease.Spec.LeaseTransitions < 1 {
		return fmt.Errorf("lease %v", lease.Spec)
	}
	second.resign()
	<-second.gone
	return nil
}

func stand(ctx context.Context, client kubernetes.Interface, ns, name string, leads chan<- string) (*candidate, error) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Namespace: ns, Name: "leader"}, Client: client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: name},
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, ReleaseOnCancel: true, Name: name,
		LeaseDuration: 5 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 200 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leads <- name },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return nil, err
	}
	stop, resign := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		elector.Run(stop)
	}()
	return &candidate{name, resign, gone}, nil
}

func leader(ctx context.Context, leads <-chan string, want *candidate) error {
	select {
	case name := <-leads:
		if name != want.name {
			return fmt.Errorf("%s leads instead of %s", name, want.name)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s does not lead: %w", want.name, ctx.Err())
	}
}

// renewal waits until the lease has been renewed three times.
func renewal(ctx context.Context, client kubernetes.Interface, ns string) (*coordinationv1.Lease, error) {
	var lease *coordinationv1.Lease
	times := map[time.Time]bool{}
	err := eventually(ctx, "the lease is renewed", func() (done bool, err error) {
		if lease, err = client.CoordinationV1().Leases(ns).Get(ctx, "leader", metav1.GetOptions{}); err == nil {
			times[lease.Spec.RenewTime.Time] = true
		}
		return len(times) > 3, err
	})
	return lease, err
}
