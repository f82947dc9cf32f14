// What a request is about, read off its path and method: the words of k8s.io/apiserver's request.RequestInfo.

export interface RequestInfo {
  isResourceRequest: boolean;
  path: string;
  /** API verb for resource requests (get, list, watch, create, update, patch, delete, deletecollection, proxy). */
  verb: string;
  /** `api` or `apis`. */
  apiPrefix: string;
  apiGroup: string;
  apiVersion: string;
  namespace: string;
  resource: string;
  subresource: string;
  name: string;
  /** The path behind group and version (and namespace), split. */
  parts: readonly string[];
  fieldSelector: string;
  labelSelector: string;
}
