// What stored objects have in common: the dictionary of values of format 1. It must never change, because values that
// are on disk cannot be read without it; a better one is a format of its own. The commonest is at the end, where
// the distance back to it is shortest.

export const DICTIONARY_1 =
  '"f:ports":{".":{},"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{},' +
  '"f:hostPort":{},"f:name":{},"f:protocol":{}}},"f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},' +
  '"f:path":{},"f:port":{},"f:scheme":{}},"f:initialDelaySeconds":{},"f:periodSeconds":{},"f:successThreshold":{},' +
  '"f:timeoutSeconds":{}},"f:readinessProbe":{".":{},"f:startupProbe":{".":{},"f:securityContext":{".":{},' +
  '"f:allowPrivilegeEscalation":{},"f:capabilities":{".":{},"f:add":{},"f:drop":{}},"f:privileged":{},' +
  '"f:readOnlyRootFilesystem":{},"f:runAsNonRoot":{},"f:runAsUser":{},"f:seccompProfile":{".":{},"f:type":{}}},' +
  '"f:volumeMounts":{".":{},"k:{\\"mountPath\\":\\"/var/run\\"}":{".":{},"f:mountPath":{},"f:readOnly":{}}},' +
  '"f:volumes":{".":{},"k:{\\"name\\":\\"config\\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:items":{}},' +
  '"f:secret":{".":{},"f:secretName":{}},"f:projected":{".":{},"f:sources":{},"f:emptyDir":{},"f:hostPath":{".":{},' +
  '"f:path":{}},"f:persistentVolumeClaim":{".":{},"f:claimName":{}}},"f:affinity":{},"f:nodeSelector":{},' +
  '"f:tolerations":{},"f:topologySpreadConstraints":{".":{},"f:hostNetwork":{},"f:hostPID":{},"f:initContainers":{".":{},' +
  '"f:priorityClassName":{},"f:nodeName":{},"f:env":{".":{},"k:{\\"name\\":\\"NAME\\"}":{".":{},"f:name":{},"f:value":{},' +
  '"f:valueFrom":{".":{},"f:fieldRef":{},"f:secretKeyRef":{},"f:configMapKeyRef":{}}}},"f:args":{},"f:command":{},' +
  '"rules":[{"verbs":["get","list","watch","create","update","patch","delete","deletecollection"],"apiGroups":["apps",' +
  '"batch","rbac.authorization.k8s.io","networking.k8s.io","policy","autoscaling"],"resources":["pods","services",' +
  '"configmaps","secrets","deployments","replicasets","statefulsets","daemonsets","jobs","cronjobs","events","nodes",' +
  '"namespaces","serviceaccounts","persistentvolumeclaims","endpoints","ingresses","networkpolicies"]}],' +
  '"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"system:","subjects":[{"kind":' +
  '"ServiceAccount","kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:masters"}],' +
  '"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"rbac.authorization.k8s.io/aggregate-to-admin":"true"}}]},' +
  '"involvedObject":{"kind":"Pod","namespace":"default","name":"","uid":"","apiVersion":"v1","resourceVersion":"",' +
  '"fieldPath":"spec.containers{"},"reason":"Scheduled","message":"Successfully assigned ","source":{"component":' +
  '"kubelet","host":"default-scheduler"},"firstTimestamp":"2026-","lastTimestamp":"2026-","count":1,"type":"Normal",' +
  '"type":"Warning","eventTime":null,"reportingComponent":"kubelet","reportingInstance":""}' +
  '"spec":{"holderIdentity":"","leaseDurationSeconds":40,"acquireTime":"2026-","renewTime":"2026-","leaseTransitions":0}' +
  '"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true,"serving":true,"terminating":' +
  'false},"targetRef":{"kind":"Pod","namespace":"","name":"","uid":""},"nodeName":"","zone":""}],"ports":[{"name":"http",' +
  '"port":80,"protocol":"TCP","targetPort":8080}],"selector":{"app.kubernetes.io/name":"","clusterIP":"10.0.0.1",' +
  '"clusterIPs":["10.0.0.1"],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":' +
  '"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}' +
  '"status":{"capacity":{"cpu":"8","ephemeral-storage":"","hugepages-1Gi":"0","hugepages-2Mi":"0","memory":"Ki",' +
  '"pods":"110"},"allocatable":{"nodeInfo":{"machineID":"","systemUUID":"","bootID":"","kernelVersion":"","osImage":"",' +
  '"containerRuntimeVersion":"containerd://","kubeletVersion":"v1.36.","kubeProxyVersion":"","operatingSystem":"linux",' +
  '"architecture":"amd64"},"images":[{"names":["registry.k8s.io/","docker.io/library/","sizeBytes":' +
  '"lastHeartbeatTime":"2026-","reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available"' +
  '"conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"True","lastProbeTime":null,' +
  '"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"Initialized","status":"True","lastProbeTime":null,' +
  '"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"Ready","status":"False","lastProbeTime":null,"reason":' +
  '"ContainersNotReady","message":"containers with unready status: ["},{"type":"ContainersReady","status":"True"},' +
  '{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}],' +
  '"hostIP":"10.0.0.1","hostIPs":[{"ip":"10.0.0.1"}],"podIP":"10.1.0.1","podIPs":[{"ip":"10.1.0.1"}],"startTime":"2026-' +
  '","containerStatuses":[{"name":"","state":{"running":{"startedAt":"2026-","waiting":{"reason":"ContainerCreating"}},' +
  '"terminated":{"exitCode":0,"reason":"Completed","lastState":{},"ready":true,"restartCount":0,"image":"","imageID":"",' +
  '"containerID":"containerd://","started":true,"volumeMounts":[{"name":"kube-api-access-","mountPath":' +
  '"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":' +
  '"BestEffort"}}{"phase":"Pending","phase":"Running","phase":"Active","observedGeneration":1,"replicas":1,' +
  '"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,"conditions":[{"type":"Available","status":"True",' +
  '"lastUpdateTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z","reason":' +
  '"MinimumReplicasAvailable","message":"Deployment has minimum availability."},{"type":"Progressing","status":"True",' +
  '"reason":"NewReplicaSetAvailable","message":"ReplicaSet \\"\\" has successfully progressed."}]}}' +
  '"volumes":[{"name":"kube-api-access-","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,' +
  '"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":' +
  '{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}' +
  '],{"name":"config","configMap":{"name":"secret":{"secretName":"emptyDir":{}},"hostPath":{"path":"/","type":""},' +
  '"persistentVolumeClaim":{"claimName":"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",' +
  '"effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":' +
  '"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"' +
  '"livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"initialDelaySeconds":10,"timeoutSeconds":1,' +
  '"periodSeconds":10,"successThreshold":1,"failureThreshold":3},"readinessProbe":{"httpGet":{"path":"/readyz",' +
  '"env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},{"name":"","value":' +
  '"spec":{"replicas":1,"selector":{"matchLabels":{"app":"","template":{"metadata":{"creationTimestamp":null,"labels":{' +
  '"app":"app.kubernetes.io/name":"","app.kubernetes.io/instance":"","app.kubernetes.io/managed-by":"Helm","helm.sh/chart":' +
  '"","app.kubernetes.io/version":"","app.kubernetes.io/component":"","pod-template-hash":"","controller-revision-hash":"' +
  '"},"spec":{"containers":[{"name":"","image":"nginx:1","command":["sh","-c"],"args":["--"],"ports":[{"name":"http",' +
  '"containerPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"100m","memory":"128Mi"},"requests":{"cpu":"100m",' +
  '"memory":"64Mi"}},"volumeMounts":[{"name":"","readOnly":true,"mountPath":"/"}],"terminationMessagePath":' +
  '"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent","imagePullPolicy":"Always",' +
  '"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},"readOnlyRootFilesystem":true,' +
  '"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}}],"restartPolicy":"Always",' +
  '"terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":' +
  '"default","nodeName":"","securityContext":{},"schedulerName":"default-scheduler"}},"strategy":{"type":' +
  '"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,' +
  '"progressDeadlineSeconds":600}}"subresource":"status"}]}' +
  '"f:status":{"f:conditions":{".":{},"k:{\\"type\\":\\"Available\\"}":{".":{},"f:lastTransitionTime":{},' +
  '"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\\"type\\":\\"Ready\\"}":{".":{},' +
  '"f:lastProbeTime":{},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},' +
  '"f:startTime":{},"f:availableReplicas":{},"f:observedGeneration":{},"f:readyReplicas":{},"f:replicas":{},' +
  '"f:updatedReplicas":{}}' +
  '"fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/revision":{},' +
  '"f:kubectl.kubernetes.io/last-applied-configuration":{},"f:meta.helm.sh/release-name":{}},"f:generateName":{},' +
  '"f:labels":{".":{},"f:app":{},"f:app.kubernetes.io/name":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},' +
  '"k:{\\"uid\\":\\""}":{},"f:finalizers":{".":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},' +
  '"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},' +
  '"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{' +
  '"f:containers":{"k:{\\"name\\":\\"main\\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{' +
  '".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},' +
  '"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},' +
  '"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:serviceAccount":{},"f:serviceAccountName":{},' +
  '"f:terminationGracePeriodSeconds":{}}}}}},"f:data":{".":{},"f:type":{},"f:rules":{},"f:roleRef":{},"f:subjects":{}' +
  '"f:spec":{"f:acquireTime":{},"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:leaseTransitions":{},' +
  '"f:renewTime":{}}}}]}' +
  '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{{"kind":"ClusterRoleBinding",' +
  '"apiVersion":"rbac.authorization.k8s.io/v1","metadata":{{"kind":"Lease","apiVersion":"coordination.k8s.io/v1",' +
  '"metadata":{{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{{"kind":"Deployment","apiVersion":' +
  '"apps/v1","metadata":{{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{{"kind":"Job","apiVersion":"batch/v1",' +
  '"metadata":{{"kind":"Event","apiVersion":"v1","metadata":{{"kind":"Node","apiVersion":"v1","metadata":{{"kind":' +
  '"Service","apiVersion":"v1","metadata":{{"kind":"Secret","apiVersion":"v1","metadata":{{"kind":"ConfigMap",' +
  '"apiVersion":"v1","metadata":{{"kind":"Pod","apiVersion":"v1","metadata":{"name":"kube-system","namespace":"default",' +
  '"generateName":"","uid":"","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"",' +
  '"kubernetes.io/metadata.name":"","kubernetes.io/hostname":""},"annotations":{"deployment.kubernetes.io/revision":"1",' +
  '"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"","ownerReferences":[{' +
  '"apiVersion":"apps/v1","kind":"ReplicaSet","name":"","uid":"","controller":true,"blockOwnerDeletion":true}],' +
  '"finalizers":["kubernetes"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":' +
  '"apps/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:manager":"kubectl-client-side-apply",' +
  '"operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":' +
  '{"f:labels":{".":{},"f:manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z",' +
  '"fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{},"subresource":"status"}]},"spec":{"data":{';
