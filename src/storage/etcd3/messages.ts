// The part of etcd's v3 API that is used here (https://etcd.io/docs/v3.6/dev-guide/api_reference_v3/): messages as
// protobufjs takes them, the methods, and both as types. Fields that nothing asks for are left out.
import protobuf from "protobufjs";

type Fields = Record<string, [type: string, id: number]>;

const MESSAGES: Record<string, Fields> = {
  ResponseHeader: { revision: ["int64", 3] },
  KeyValue: {
    key: ["bytes", 1],
    createRevision: ["int64", 2],
    modRevision: ["int64", 3],
    version: ["int64", 4],
    value: ["bytes", 5],
    lease: ["int64", 6],
  },
  Event: { type: ["int32", 1], kv: ["KeyValue", 2], prevKv: ["KeyValue", 3] },
  RangeRequest: {
    key: ["bytes", 1],
    rangeEnd: ["bytes", 2],
    limit: ["int64", 3],
    revision: ["int64", 4],
    countOnly: ["bool", 9],
  },
  RangeResponse: {
    header: ["ResponseHeader", 1],
    kvs: ["repeated KeyValue", 2],
    more: ["bool", 3],
    count: ["int64", 4],
  },
  PutRequest: { key: ["bytes", 1], value: ["bytes", 2], lease: ["int64", 3], ignoreLease: ["bool", 6] },
  DeleteRangeRequest: { key: ["bytes", 1] },
  Compare: {
    result: ["int32", 1],
    target: ["int32", 2],
    key: ["bytes", 3],
    version: ["int64", 4],
    modRevision: ["int64", 6],
  },
  RequestOp: {
    requestRange: ["RangeRequest", 1],
    requestPut: ["PutRequest", 2],
    requestDeleteRange: ["DeleteRangeRequest", 3],
  },
  ResponseOp: { responseRange: ["RangeResponse", 1] },
  TxnRequest: {
    compare: ["repeated Compare", 1],
    success: ["repeated RequestOp", 2],
    failure: ["repeated RequestOp", 3],
  },
  TxnResponse: { header: ["ResponseHeader", 1], succeeded: ["bool", 2], responses: ["repeated ResponseOp", 3] },
  CompactionRequest: { revision: ["int64", 1] },
  CompactionResponse: {},
  LeaseGrantRequest: { TTL: ["int64", 1], ID: ["int64", 2] },
  LeaseGrantResponse: { ID: ["int64", 2], TTL: ["int64", 3] },
  LeaseTimeToLiveRequest: { ID: ["int64", 1] },
  LeaseTimeToLiveResponse: { TTL: ["int64", 3] },
  StatusRequest: {},
  StatusResponse: { dbSize: ["int64", 3] },
  WatchCreateRequest: {
    key: ["bytes", 1],
    rangeEnd: ["bytes", 2],
    startRevision: ["int64", 3],
    progressNotify: ["bool", 4],
    prevKv: ["bool", 6],
  },
  WatchProgressRequest: {},
  WatchRequest: { createRequest: ["WatchCreateRequest", 1], progressRequest: ["WatchProgressRequest", 3] },
  WatchResponse: {
    header: ["ResponseHeader", 1],
    created: ["bool", 3],
    canceled: ["bool", 4],
    compactRevision: ["int64", 5],
    cancelReason: ["string", 6],
    events: ["repeated Event", 11],
  },
};

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([name, fields]) => [name, { fields: mapValues(fields, fieldOf) }]),
  ),
});

function fieldOf([type, id]: [string, number]) {
  return type.startsWith("repeated ") ? { rule: "repeated", type: type.slice("repeated ".length), id } : { type, id };
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

export interface KeyValueMessage {
  key: Uint8Array;
  createRevision: number;
  modRevision: number;
  version: number;
  value: Uint8Array;
}

interface Header {
  header: { revision: number };
}

export interface RangeRequest {
  key: Uint8Array;
  rangeEnd?: Uint8Array;
  limit?: number;
  revision?: number;
  countOnly?: boolean;
}

/** A range with everything that moves with a key: numbers are text, because ids of leases have more bits than a number. */
export interface ExactRangeResponse {
  header: { revision: string };
  kvs: { key: Uint8Array; value: Uint8Array; modRevision: string; lease: string }[];
  more: boolean;
}

export interface RangeResponse extends Header {
  kvs: KeyValueMessage[];
  more: boolean;
  count: number;
}

/** Holds when the key's version or revision of its last change is the one given. */
export interface Compare {
  target: typeof COMPARE_VERSION | typeof COMPARE_MOD;
  key: Uint8Array;
  version?: number;
  modRevision?: number;
}

export const COMPARE_VERSION = 0, COMPARE_MOD = 2;

export interface RequestOp {
  requestRange?: RangeRequest;
  requestPut?: { key: Uint8Array; value: Uint8Array; lease?: number; ignoreLease?: boolean };
  requestDeleteRange?: { key: Uint8Array };
}

export interface TxnRequest {
  compare: Compare[];
  success: RequestOp[];
  failure: RequestOp[];
}

export interface TxnResponse extends Header {
  succeeded: boolean;
  responses: { responseRange?: RangeResponse }[];
}

export interface WatchRequest {
  createRequest?: {
    key: Uint8Array;
    rangeEnd: Uint8Array;
    startRevision: number;
    progressNotify: boolean;
    prevKv: boolean;
  };
  progressRequest?: Record<string, never>;
}

export interface WatchResponse extends Header {
  created: boolean;
  canceled: boolean;
  compactRevision: number;
  cancelReason: string;
  events: { type: number; kv: KeyValueMessage; prevKv: KeyValueMessage | null }[];
}

/** `Event.type` of a deletion; a put is 0. */
export const EVENT_DELETE = 1;

/** A method of etcd: where it is, and its messages on the wire. */
export interface Method<Request, Response> {
  path: string;
  serialize(request: Request): Uint8Array;
  deserialize(bytes: Uint8Array): Response;
}

function method<Request, Response>(
  path: string,
  request: string,
  response: string,
  longs: typeof Number | typeof String = Number,
): Method<Request, Response> {
  // Looked up at first use, as protobufjs compiles them.
  return {
    path: `/etcdserverpb.${path}`,
    serialize: (message) => root.lookupType(request).encode(message as object).finish(),
    deserialize(bytes) {
      const type = root.lookupType(response);
      return type.toObject(type.decode(bytes), { longs, defaults: true, arrays: true }) as Response;
    },
  };
}

export const METHODS = {
  range: method<RangeRequest, RangeResponse>("KV/Range", "RangeRequest", "RangeResponse"),
  exactRange: method<RangeRequest, ExactRangeResponse>("KV/Range", "RangeRequest", "RangeResponse", String),
  txn: method<TxnRequest, TxnResponse>("KV/Txn", "TxnRequest", "TxnResponse"),
  compact: method<{ revision: number }, unknown>("KV/Compact", "CompactionRequest", "CompactionResponse"),
  grantLease: method<{ TTL: number; ID: number }, { ID: number; TTL: number }>(
    "Lease/LeaseGrant",
    "LeaseGrantRequest",
    "LeaseGrantResponse",
  ),
  leaseTimeToLive: method<{ ID: string }, { TTL: number }>(
    "Lease/LeaseTimeToLive",
    "LeaseTimeToLiveRequest",
    "LeaseTimeToLiveResponse",
  ),
  status: method<Record<string, never>, { dbSize: number }>("Maintenance/Status", "StatusRequest", "StatusResponse"),
  watch: method<WatchRequest, WatchResponse>("Watch/Watch", "WatchRequest", "WatchResponse"),
};
