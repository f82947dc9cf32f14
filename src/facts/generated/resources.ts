// Made by `deno task generate`; do not edit.
/** A kind as it is answered, its group and version where they are not the resource's own. */
export interface ResponseKind {
  group: string;
  version: string;
  kind: string;
}

/** One built-in resource in one served version. */
export interface ResourceRow {
  group: string;
  version: string;
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  shortNames: string[];
  categories: string[];
  subresources: { name: string; responseKind: ResponseKind; verbs: string[] }[];
  /** Where its objects are kept; empty for resources without storage (reviews, bindings). */
  prefix: string;
  /** The kind that is stored. */
  stored: ResponseKind;
}

export const RESOURCES: readonly ResourceRow[] = [
 {
  "group": "",
  "version": "v1",
  "resource": "bindings",
  "singular": "binding",
  "kind": "Binding",
  "namespaced": true,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Binding"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "componentstatuses",
  "singular": "componentstatus",
  "kind": "ComponentStatus",
  "namespaced": false,
  "verbs": [
   "get",
   "list"
  ],
  "shortNames": [
   "cs"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "ComponentStatus"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "configmaps",
  "singular": "configmap",
  "kind": "ConfigMap",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "cm"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/configmaps",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "ConfigMap"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "endpoints",
  "singular": "endpoints",
  "kind": "Endpoints",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ep"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/services/endpoints",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Endpoints"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "events",
  "singular": "event",
  "kind": "Event",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ev"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/events",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Event"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "limitranges",
  "singular": "limitrange",
  "kind": "LimitRange",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "limits"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/limitranges",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "LimitRange"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "namespaces",
  "singular": "namespace",
  "kind": "Namespace",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ns"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "finalize",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Namespace"
    },
    "verbs": [
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Namespace"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/namespaces",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Namespace"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "nodes",
  "singular": "node",
  "kind": "Node",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "no"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "proxy",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "NodeProxyOptions"
    },
    "verbs": [
     "create",
     "delete",
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Node"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/minions",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Node"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "persistentvolumeclaims",
  "singular": "persistentvolumeclaim",
  "kind": "PersistentVolumeClaim",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "pvc"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PersistentVolumeClaim"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/persistentvolumeclaims",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "PersistentVolumeClaim"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "persistentvolumes",
  "singular": "persistentvolume",
  "kind": "PersistentVolume",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "pv"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PersistentVolume"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/persistentvolumes",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "PersistentVolume"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "pods",
  "singular": "pod",
  "kind": "Pod",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "po"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "attach",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PodAttachOptions"
    },
    "verbs": [
     "create",
     "get"
    ]
   },
   {
    "name": "binding",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Binding"
    },
    "verbs": [
     "create"
    ]
   },
   {
    "name": "ephemeralcontainers",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Pod"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "eviction",
    "responseKind": {
     "group": "policy",
     "version": "v1",
     "kind": "Eviction"
    },
    "verbs": [
     "create"
    ]
   },
   {
    "name": "exec",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PodExecOptions"
    },
    "verbs": [
     "create",
     "get"
    ]
   },
   {
    "name": "log",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Pod"
    },
    "verbs": [
     "get"
    ]
   },
   {
    "name": "portforward",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PodPortForwardOptions"
    },
    "verbs": [
     "create",
     "get"
    ]
   },
   {
    "name": "proxy",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "PodProxyOptions"
    },
    "verbs": [
     "create",
     "delete",
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "resize",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Pod"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Pod"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/pods",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Pod"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "podtemplates",
  "singular": "podtemplate",
  "kind": "PodTemplate",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/podtemplates",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "PodTemplate"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "replicationcontrollers",
  "singular": "replicationcontroller",
  "kind": "ReplicationController",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "rc"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "scale",
    "responseKind": {
     "group": "autoscaling",
     "version": "v1",
     "kind": "Scale"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "ReplicationController"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/controllers",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "ReplicationController"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "resourcequotas",
  "singular": "resourcequota",
  "kind": "ResourceQuota",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "quota"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "ResourceQuota"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/resourcequotas",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "ResourceQuota"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "secrets",
  "singular": "secret",
  "kind": "Secret",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/secrets",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Secret"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "serviceaccounts",
  "singular": "serviceaccount",
  "kind": "ServiceAccount",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "sa"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "token",
    "responseKind": {
     "group": "authentication.k8s.io",
     "version": "v1",
     "kind": "TokenRequest"
    },
    "verbs": [
     "create"
    ]
   }
  ],
  "prefix": "/registry/serviceaccounts",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "ServiceAccount"
  }
 },
 {
  "group": "",
  "version": "v1",
  "resource": "services",
  "singular": "service",
  "kind": "Service",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "svc"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "proxy",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "ServiceProxyOptions"
    },
    "verbs": [
     "create",
     "delete",
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "",
     "version": "v1",
     "kind": "Service"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/services/specs",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Service"
  }
 },
 {
  "group": "apiregistration.k8s.io",
  "version": "v1",
  "resource": "apiservices",
  "singular": "apiservice",
  "kind": "APIService",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "apiregistration.k8s.io",
     "version": "v1",
     "kind": "APIService"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/apiregistration.k8s.io/apiservices",
  "stored": {
   "group": "apiregistration.k8s.io",
   "version": "v1",
   "kind": "APIService"
  }
 },
 {
  "group": "apps",
  "version": "v1",
  "resource": "controllerrevisions",
  "singular": "controllerrevision",
  "kind": "ControllerRevision",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/controllerrevisions",
  "stored": {
   "group": "apps",
   "version": "v1",
   "kind": "ControllerRevision"
  }
 },
 {
  "group": "apps",
  "version": "v1",
  "resource": "daemonsets",
  "singular": "daemonset",
  "kind": "DaemonSet",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ds"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "apps",
     "version": "v1",
     "kind": "DaemonSet"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/daemonsets",
  "stored": {
   "group": "apps",
   "version": "v1",
   "kind": "DaemonSet"
  }
 },
 {
  "group": "apps",
  "version": "v1",
  "resource": "deployments",
  "singular": "deployment",
  "kind": "Deployment",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "deploy"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "scale",
    "responseKind": {
     "group": "autoscaling",
     "version": "v1",
     "kind": "Scale"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "apps",
     "version": "v1",
     "kind": "Deployment"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/deployments",
  "stored": {
   "group": "apps",
   "version": "v1",
   "kind": "Deployment"
  }
 },
 {
  "group": "apps",
  "version": "v1",
  "resource": "replicasets",
  "singular": "replicaset",
  "kind": "ReplicaSet",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "rs"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "scale",
    "responseKind": {
     "group": "autoscaling",
     "version": "v1",
     "kind": "Scale"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "apps",
     "version": "v1",
     "kind": "ReplicaSet"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/replicasets",
  "stored": {
   "group": "apps",
   "version": "v1",
   "kind": "ReplicaSet"
  }
 },
 {
  "group": "apps",
  "version": "v1",
  "resource": "statefulsets",
  "singular": "statefulset",
  "kind": "StatefulSet",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "sts"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "scale",
    "responseKind": {
     "group": "autoscaling",
     "version": "v1",
     "kind": "Scale"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "apps",
     "version": "v1",
     "kind": "StatefulSet"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/statefulsets",
  "stored": {
   "group": "apps",
   "version": "v1",
   "kind": "StatefulSet"
  }
 },
 {
  "group": "events.k8s.io",
  "version": "v1",
  "resource": "events",
  "singular": "event",
  "kind": "Event",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ev"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/events",
  "stored": {
   "group": "",
   "version": "v1",
   "kind": "Event"
  }
 },
 {
  "group": "authentication.k8s.io",
  "version": "v1",
  "resource": "selfsubjectreviews",
  "singular": "selfsubjectreview",
  "kind": "SelfSubjectReview",
  "namespaced": false,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authentication.k8s.io",
   "version": "v1",
   "kind": "SelfSubjectReview"
  }
 },
 {
  "group": "authentication.k8s.io",
  "version": "v1",
  "resource": "tokenreviews",
  "singular": "tokenreview",
  "kind": "TokenReview",
  "namespaced": false,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authentication.k8s.io",
   "version": "v1",
   "kind": "TokenReview"
  }
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "resource": "localsubjectaccessreviews",
  "singular": "localsubjectaccessreview",
  "kind": "LocalSubjectAccessReview",
  "namespaced": true,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authorization.k8s.io",
   "version": "v1",
   "kind": "LocalSubjectAccessReview"
  }
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "resource": "selfsubjectaccessreviews",
  "singular": "selfsubjectaccessreview",
  "kind": "SelfSubjectAccessReview",
  "namespaced": false,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authorization.k8s.io",
   "version": "v1",
   "kind": "SelfSubjectAccessReview"
  }
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "resource": "selfsubjectrulesreviews",
  "singular": "selfsubjectrulesreview",
  "kind": "SelfSubjectRulesReview",
  "namespaced": false,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authorization.k8s.io",
   "version": "v1",
   "kind": "SelfSubjectRulesReview"
  }
 },
 {
  "group": "authorization.k8s.io",
  "version": "v1",
  "resource": "subjectaccessreviews",
  "singular": "subjectaccessreview",
  "kind": "SubjectAccessReview",
  "namespaced": false,
  "verbs": [
   "create"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "",
  "stored": {
   "group": "authorization.k8s.io",
   "version": "v1",
   "kind": "SubjectAccessReview"
  }
 },
 {
  "group": "autoscaling",
  "version": "v2",
  "resource": "horizontalpodautoscalers",
  "singular": "horizontalpodautoscaler",
  "kind": "HorizontalPodAutoscaler",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "hpa"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "autoscaling",
     "version": "v2",
     "kind": "HorizontalPodAutoscaler"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/horizontalpodautoscalers",
  "stored": {
   "group": "autoscaling",
   "version": "v2",
   "kind": "HorizontalPodAutoscaler"
  }
 },
 {
  "group": "autoscaling",
  "version": "v1",
  "resource": "horizontalpodautoscalers",
  "singular": "horizontalpodautoscaler",
  "kind": "HorizontalPodAutoscaler",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "hpa"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "autoscaling",
     "version": "v1",
     "kind": "HorizontalPodAutoscaler"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/horizontalpodautoscalers",
  "stored": {
   "group": "autoscaling",
   "version": "v2",
   "kind": "HorizontalPodAutoscaler"
  }
 },
 {
  "group": "batch",
  "version": "v1",
  "resource": "cronjobs",
  "singular": "cronjob",
  "kind": "CronJob",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "cj"
  ],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "batch",
     "version": "v1",
     "kind": "CronJob"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/cronjobs",
  "stored": {
   "group": "batch",
   "version": "v1",
   "kind": "CronJob"
  }
 },
 {
  "group": "batch",
  "version": "v1",
  "resource": "jobs",
  "singular": "job",
  "kind": "Job",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "all"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "batch",
     "version": "v1",
     "kind": "Job"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/jobs",
  "stored": {
   "group": "batch",
   "version": "v1",
   "kind": "Job"
  }
 },
 {
  "group": "certificates.k8s.io",
  "version": "v1",
  "resource": "certificatesigningrequests",
  "singular": "certificatesigningrequest",
  "kind": "CertificateSigningRequest",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "csr"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "approval",
    "responseKind": {
     "group": "certificates.k8s.io",
     "version": "v1",
     "kind": "CertificateSigningRequest"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   },
   {
    "name": "status",
    "responseKind": {
     "group": "certificates.k8s.io",
     "version": "v1",
     "kind": "CertificateSigningRequest"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/certificatesigningrequests",
  "stored": {
   "group": "certificates.k8s.io",
   "version": "v1",
   "kind": "CertificateSigningRequest"
  }
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "resource": "ingressclasses",
  "singular": "ingressclass",
  "kind": "IngressClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/ingressclasses",
  "stored": {
   "group": "networking.k8s.io",
   "version": "v1",
   "kind": "IngressClass"
  }
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "resource": "ingresses",
  "singular": "ingress",
  "kind": "Ingress",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ing"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "networking.k8s.io",
     "version": "v1",
     "kind": "Ingress"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/ingress",
  "stored": {
   "group": "networking.k8s.io",
   "version": "v1",
   "kind": "Ingress"
  }
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "resource": "ipaddresses",
  "singular": "ipaddress",
  "kind": "IPAddress",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "ip"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/ipaddresses",
  "stored": {
   "group": "networking.k8s.io",
   "version": "v1",
   "kind": "IPAddress"
  }
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "resource": "networkpolicies",
  "singular": "networkpolicy",
  "kind": "NetworkPolicy",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "netpol"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/networkpolicies",
  "stored": {
   "group": "networking.k8s.io",
   "version": "v1",
   "kind": "NetworkPolicy"
  }
 },
 {
  "group": "networking.k8s.io",
  "version": "v1",
  "resource": "servicecidrs",
  "singular": "servicecidr",
  "kind": "ServiceCIDR",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "networking.k8s.io",
     "version": "v1",
     "kind": "ServiceCIDR"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/servicecidrs",
  "stored": {
   "group": "networking.k8s.io",
   "version": "v1",
   "kind": "ServiceCIDR"
  }
 },
 {
  "group": "policy",
  "version": "v1",
  "resource": "poddisruptionbudgets",
  "singular": "poddisruptionbudget",
  "kind": "PodDisruptionBudget",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "pdb"
  ],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "policy",
     "version": "v1",
     "kind": "PodDisruptionBudget"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/poddisruptionbudgets",
  "stored": {
   "group": "policy",
   "version": "v1",
   "kind": "PodDisruptionBudget"
  }
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "resource": "clusterrolebindings",
  "singular": "clusterrolebinding",
  "kind": "ClusterRoleBinding",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/clusterrolebindings",
  "stored": {
   "group": "rbac.authorization.k8s.io",
   "version": "v1",
   "kind": "ClusterRoleBinding"
  }
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "resource": "clusterroles",
  "singular": "clusterrole",
  "kind": "ClusterRole",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/clusterroles",
  "stored": {
   "group": "rbac.authorization.k8s.io",
   "version": "v1",
   "kind": "ClusterRole"
  }
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "resource": "rolebindings",
  "singular": "rolebinding",
  "kind": "RoleBinding",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/rolebindings",
  "stored": {
   "group": "rbac.authorization.k8s.io",
   "version": "v1",
   "kind": "RoleBinding"
  }
 },
 {
  "group": "rbac.authorization.k8s.io",
  "version": "v1",
  "resource": "roles",
  "singular": "role",
  "kind": "Role",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/roles",
  "stored": {
   "group": "rbac.authorization.k8s.io",
   "version": "v1",
   "kind": "Role"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "csidrivers",
  "singular": "csidriver",
  "kind": "CSIDriver",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/csidrivers",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "CSIDriver"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "csinodes",
  "singular": "csinode",
  "kind": "CSINode",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/csinodes",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "CSINode"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "csistoragecapacities",
  "singular": "csistoragecapacity",
  "kind": "CSIStorageCapacity",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/csistoragecapacities",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "CSIStorageCapacity"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "storageclasses",
  "singular": "storageclass",
  "kind": "StorageClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "sc"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/storageclasses",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "StorageClass"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "volumeattachments",
  "singular": "volumeattachment",
  "kind": "VolumeAttachment",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "storage.k8s.io",
     "version": "v1",
     "kind": "VolumeAttachment"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/volumeattachments",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "VolumeAttachment"
  }
 },
 {
  "group": "storage.k8s.io",
  "version": "v1",
  "resource": "volumeattributesclasses",
  "singular": "volumeattributesclass",
  "kind": "VolumeAttributesClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "vac"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/volumeattributesclasses",
  "stored": {
   "group": "storage.k8s.io",
   "version": "v1",
   "kind": "VolumeAttributesClass"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "mutatingadmissionpolicies",
  "singular": "mutatingadmissionpolicy",
  "kind": "MutatingAdmissionPolicy",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [],
  "prefix": "/registry/mutatingadmissionpolicies",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "MutatingAdmissionPolicy"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "mutatingadmissionpolicybindings",
  "singular": "mutatingadmissionpolicybinding",
  "kind": "MutatingAdmissionPolicyBinding",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [],
  "prefix": "/registry/mutatingadmissionpolicybindings",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "MutatingAdmissionPolicyBinding"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "mutatingwebhookconfigurations",
  "singular": "mutatingwebhookconfiguration",
  "kind": "MutatingWebhookConfiguration",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [],
  "prefix": "/registry/mutatingwebhookconfigurations",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "MutatingWebhookConfiguration"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "validatingadmissionpolicies",
  "singular": "validatingadmissionpolicy",
  "kind": "ValidatingAdmissionPolicy",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "admissionregistration.k8s.io",
     "version": "v1",
     "kind": "ValidatingAdmissionPolicy"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/validatingadmissionpolicies",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "ValidatingAdmissionPolicy"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "validatingadmissionpolicybindings",
  "singular": "validatingadmissionpolicybinding",
  "kind": "ValidatingAdmissionPolicyBinding",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [],
  "prefix": "/registry/validatingadmissionpolicybindings",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "ValidatingAdmissionPolicyBinding"
  }
 },
 {
  "group": "admissionregistration.k8s.io",
  "version": "v1",
  "resource": "validatingwebhookconfigurations",
  "singular": "validatingwebhookconfiguration",
  "kind": "ValidatingWebhookConfiguration",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [
   "api-extensions"
  ],
  "subresources": [],
  "prefix": "/registry/validatingwebhookconfigurations",
  "stored": {
   "group": "admissionregistration.k8s.io",
   "version": "v1",
   "kind": "ValidatingWebhookConfiguration"
  }
 },
 {
  "group": "apiextensions.k8s.io",
  "version": "v1",
  "resource": "customresourcedefinitions",
  "singular": "customresourcedefinition",
  "kind": "CustomResourceDefinition",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "crd",
   "crds"
  ],
  "categories": [
   "api-extensions"
  ],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "apiextensions.k8s.io",
     "version": "v1",
     "kind": "CustomResourceDefinition"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/apiextensions.k8s.io/customresourcedefinitions",
  "stored": {
   "group": "apiextensions.k8s.io",
   "version": "v1",
   "kind": "CustomResourceDefinition"
  }
 },
 {
  "group": "scheduling.k8s.io",
  "version": "v1",
  "resource": "priorityclasses",
  "singular": "priorityclass",
  "kind": "PriorityClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [
   "pc"
  ],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/priorityclasses",
  "stored": {
   "group": "scheduling.k8s.io",
   "version": "v1",
   "kind": "PriorityClass"
  }
 },
 {
  "group": "coordination.k8s.io",
  "version": "v1",
  "resource": "leases",
  "singular": "lease",
  "kind": "Lease",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/leases",
  "stored": {
   "group": "coordination.k8s.io",
   "version": "v1",
   "kind": "Lease"
  }
 },
 {
  "group": "node.k8s.io",
  "version": "v1",
  "resource": "runtimeclasses",
  "singular": "runtimeclass",
  "kind": "RuntimeClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/runtimeclasses",
  "stored": {
   "group": "node.k8s.io",
   "version": "v1",
   "kind": "RuntimeClass"
  }
 },
 {
  "group": "discovery.k8s.io",
  "version": "v1",
  "resource": "endpointslices",
  "singular": "endpointslice",
  "kind": "EndpointSlice",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/endpointslices",
  "stored": {
   "group": "discovery.k8s.io",
   "version": "v1",
   "kind": "EndpointSlice"
  }
 },
 {
  "group": "resource.k8s.io",
  "version": "v1",
  "resource": "deviceclasses",
  "singular": "deviceclass",
  "kind": "DeviceClass",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/deviceclasses",
  "stored": {
   "group": "resource.k8s.io",
   "version": "v1",
   "kind": "DeviceClass"
  }
 },
 {
  "group": "resource.k8s.io",
  "version": "v1",
  "resource": "resourceclaims",
  "singular": "resourceclaim",
  "kind": "ResourceClaim",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "resource.k8s.io",
     "version": "v1",
     "kind": "ResourceClaim"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/resourceclaims",
  "stored": {
   "group": "resource.k8s.io",
   "version": "v1",
   "kind": "ResourceClaim"
  }
 },
 {
  "group": "resource.k8s.io",
  "version": "v1",
  "resource": "resourceclaimtemplates",
  "singular": "resourceclaimtemplate",
  "kind": "ResourceClaimTemplate",
  "namespaced": true,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/resourceclaimtemplates",
  "stored": {
   "group": "resource.k8s.io",
   "version": "v1",
   "kind": "ResourceClaimTemplate"
  }
 },
 {
  "group": "resource.k8s.io",
  "version": "v1",
  "resource": "resourceslices",
  "singular": "resourceslice",
  "kind": "ResourceSlice",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [],
  "prefix": "/registry/resourceslices",
  "stored": {
   "group": "resource.k8s.io",
   "version": "v1",
   "kind": "ResourceSlice"
  }
 },
 {
  "group": "flowcontrol.apiserver.k8s.io",
  "version": "v1",
  "resource": "flowschemas",
  "singular": "flowschema",
  "kind": "FlowSchema",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "flowcontrol.apiserver.k8s.io",
     "version": "v1",
     "kind": "FlowSchema"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/flowschemas",
  "stored": {
   "group": "flowcontrol.apiserver.k8s.io",
   "version": "v1",
   "kind": "FlowSchema"
  }
 },
 {
  "group": "flowcontrol.apiserver.k8s.io",
  "version": "v1",
  "resource": "prioritylevelconfigurations",
  "singular": "prioritylevelconfiguration",
  "kind": "PriorityLevelConfiguration",
  "namespaced": false,
  "verbs": [
   "create",
   "delete",
   "deletecollection",
   "get",
   "list",
   "patch",
   "update",
   "watch"
  ],
  "shortNames": [],
  "categories": [],
  "subresources": [
   {
    "name": "status",
    "responseKind": {
     "group": "flowcontrol.apiserver.k8s.io",
     "version": "v1",
     "kind": "PriorityLevelConfiguration"
    },
    "verbs": [
     "get",
     "patch",
     "update"
    ]
   }
  ],
  "prefix": "/registry/prioritylevelconfigurations",
  "stored": {
   "group": "flowcontrol.apiserver.k8s.io",
   "version": "v1",
   "kind": "PriorityLevelConfiguration"
  }
 }
];
