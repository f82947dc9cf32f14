// Subresources that write the same object under rules of their own: status, resize, approval, ephemeralcontainers.
import type { Strategy } from "../apis/kind.ts";
import type { GroupVersionKind } from "../machinery/types.ts";
import type { RequestContext } from "../apis/context.ts";
import type { ResourceStorage, Result, Transform, UpdateOptions } from "./rest.ts";
import type { Store } from "./store.ts";

export class SubresourceStore implements ResourceStorage {
  readonly kind: GroupVersionKind;
  readonly resetFields?: readonly (readonly string[])[];

  constructor(readonly store: Store, readonly strategy: Strategy) {
    this.kind = store.kind;
    this.resetFields = strategy.resetFields;
  }

  get(context: RequestContext, name: string, options: { resourceVersion?: string }): Result | Promise<Result> {
    return this.store.get(context, name, options);
  }

  update(
    context: RequestContext,
    name: string,
    transform: Transform,
    options: UpdateOptions,
  ): Promise<{ result: Result; created: boolean }> {
    const withoutCreate = { ...options, forceAllowCreate: false };
    return this.store.updateWith(this.strategy, context, name, { transform, options: withoutCreate });
  }
}
