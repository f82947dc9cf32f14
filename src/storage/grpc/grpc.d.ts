// The part of @grpc/grpc-js that is used here. Its own types bring those of Node with them, which are not this runtime's.

export interface ServiceError extends Error {
  code: number;
  details: string;
}

export declare class Metadata {}

export declare const status: Readonly<Record<"CANCELLED" | "UNAVAILABLE" | "DEADLINE_EXCEEDED", number>>;

export interface ChannelCredentials {
  readonly kind?: "channel";
}

export declare const credentials: {
  createInsecure(): ChannelCredentials;
  createSsl(
    rootCerts: Uint8Array | null,
    privateKey: Uint8Array | null,
    certChain: Uint8Array | null,
  ): ChannelCredentials;
};

export interface ClientDuplexStream<Request, Response> {
  write(request: Request): boolean;
  cancel(): void;
  on(event: "data", listener: (response: Response) => void): this;
  on(event: "error", listener: (error: ServiceError) => void): this;
  on(event: "end", listener: () => void): this;
}

export declare class Client {
  constructor(address: string, credentials: ChannelCredentials, options: Record<string, string | number>);
  close(): void;
  makeUnaryRequest<Request, Response>(
    path: string,
    serialize: (request: Request) => Uint8Array,
    deserialize: (bytes: Uint8Array) => Response,
    request: Request,
    metadata: Metadata,
    options: { deadline: number },
    callback: (error: ServiceError | null, response?: Response) => void,
  ): void;
  makeBidiStreamRequest<Request, Response>(
    path: string,
    serialize: (request: Request) => Uint8Array,
    deserialize: (bytes: Uint8Array) => Response,
  ): ClientDuplexStream<Request, Response>;
}

type Handler = (
  call: { request: Record<string, unknown> },
  callback: (error: Error | null, response?: object) => void,
) => void;

export declare class Server {
  addService(methods: Record<string, object>, handlers: Record<string, Handler>): void;
  bindAsync(address: string, credentials: object, callback: (error: Error | null) => void): void;
  forceShutdown(): void;
}

export declare const ServerCredentials: { createInsecure(): object };
