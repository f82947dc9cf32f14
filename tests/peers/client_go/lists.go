package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

// pages reads a list in pages that belong to one state, whatever is written meanwhile.
func pages(ctx context.Context, c *cluster) error {
	client, err := kubernetes.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	for i := range 25 {
		if err := createConfigMap(ctx, client, c.namespace, fmt.Sprintf("m%02d", i)); err != nil {
			return err
		}
	}
	maps := client.CoreV1().ConfigMaps(c.namespace)
	options := metav1.ListOptions{Limit: 10, LabelSelector: "made=yes"}
	first, err := maps.List(ctx, options)
	if err != nil {
		return err
	}
	if err := createConfigMap(ctx, client, c.namespace, "m99"); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "m24", metav1.DeleteOptions{}); err != nil {
		return err
	}
	page, names := first, namesOf(first.Items)
	for page.Continue != "" {
		options.Continue = page.Continue
		if page, err = maps.List(ctx, options); err != nil {
			return err
		}
		if page.ResourceVersion != first.ResourceVersion {
			return fmt.Errorf("a page of revision %s after one of %s", page.ResourceVersion, first.ResourceVersion)
		}
		names = append(names, namesOf(page.Items)...)
	}
	if len(names) != 25 || names[0] != "m00" || names[24] != "m24" {
		return fmt.Errorf("pages of %v", names)
	}
	whole := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	}))
	whole.PageSize = 7
	count := 0
	err = whole.EachListItem(ctx, metav1.ListOptions{LabelSelector: "made=yes"}, func(runtime.Object) error {
		count++
		return nil
	})
	if err == nil && count != 25 {
		err = fmt.Errorf("the pager gave %d", count)
	}
	return err
}

func namesOf(items []corev1.ConfigMap) []string {
	var names []string
	for _, item := range items {
		names = append(names, item.Name)
	}
	return names
}

// compression reads a list of more than 128 KiB.
func compression(ctx context.Context, c *cluster) error {
	for _, mediaType := range []string{mediaJSON, mediaProtobuf} {
		config, log := recorded(c.in(mediaType))
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		maps := client.CoreV1().ConfigMaps(c.namespace)
		wanted := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "large-"}, Data: map[string]string{"a": strings.Repeat("text ", 40_000)},
		}
		if _, err := maps.Create(ctx, wanted, metav1.CreateOptions{}); err != nil {
			return err
		}
		list, err := maps.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if last := list.Items[len(list.Items)-1]; last.Data["a"] != wanted.Data["a"] {
			return fmt.Errorf("%s: unpacked to %d bytes", mediaType, len(last.Data["a"]))
		}
		err = log.each(func(one exchange) error {
			if one.method == http.MethodGet && !one.compressed {
				return fmt.Errorf("not compressed")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// retryOnConflict counts up one object in several routines at once.
func retryOnConflict(ctx context.Context, c *cluster) error {
	client, err := kubernetes.NewForConfig(c.in(mediaProtobuf))
	if err != nil {
		return err
	}
	if err := createConfigMap(ctx, client, c.namespace, "counter"); err != nil {
		return err
	}
	configs := client.CoreV1().ConfigMaps(c.namespace)
	const routines, rounds = 8, 10
	backoff := retry.DefaultRetry
	backoff.Steps = 500
	results := make(chan error, routines)
	for range routines {
		go func() {
			for range rounds {
				err := retry.RetryOnConflict(backoff, func() error {
					current, err := configs.Get(ctx, "counter", metav1.GetOptions{})
					if err != nil {
						return err
					}
					count, _ := strconv.Atoi(current.Data["count"])
					current.Data = map[string]string{"count": strconv.Itoa(count + 1)}
					_, err = configs.Update(ctx, current, metav1.UpdateOptions{})
					return err
				})
				if err != nil {
					results <- err
					return
				}
			}
			results <- nil
		}()
	}
	for range routines {
		if err := <-results; err != nil {
			return err
		}
	}
	got, err := configs.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if got.Data["count"] != strconv.Itoa(routines*rounds) {
		return fmt.Errorf("counted to %s", got.Data["count"])
	}
	return nil
}
