// The frames of HTTP/2 (RFC 9113, sections 4, 6 and 7).

export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const Flag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const ErrorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export type ErrorCode = typeof ErrorCode[keyof typeof ErrorCode];

export const HEADER_LENGTH = 9;
/** What every connection begins with (section 3.4). */
export const PREFACE: Uint8Array = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** Sections 6.5.2 and 6.9.2. */
export const DEFAULT_WINDOW = 65_535, DEFAULT_FRAME_SIZE = 16_384;
export const MAX_WINDOW = 2 ** 31 - 1, MAX_FRAME_SIZE = 2 ** 24 - 1;

/** A fault of the peer's that ends the connection (section 5.4.1). */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(readonly code: ErrorCode, message: string) {
    super(message);
  }
}

/** A fault of the peer's that ends one stream (section 5.4.2). */
export class StreamError extends Error {
  override readonly name = "StreamError";

  constructor(readonly streamId: number, readonly code: ErrorCode, message: string) {
    super(message);
  }
}

export interface Frame {
  type: number;
  flags: number;
  streamId: number;
  /** Good until the next chunk is read. */
  payload: Uint8Array;
}

/** Writes a frame's header; the payload is to stand right behind it. */
export function writeFrameHeader(
  into: Uint8Array,
  at: number,
  { length, type, flags, streamId }: { length: number; type: number; flags: number; streamId: number },
): void {
  into[at] = length >>> 16;
  into[at + 1] = length >>> 8;
  into[at + 2] = length;
  into[at + 3] = type;
  into[at + 4] = flags;
  writeUint32(into, at + 5, streamId);
}

export function writeUint32(into: Uint8Array, at: number, value: number): void {
  into[at] = value >>> 24;
  into[at + 1] = value >>> 16;
  into[at + 2] = value >>> 8;
  into[at + 3] = value;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]) >>> 0;
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH + settings.length * 6);
  writeFrameHeader(frame, 0, { length: settings.length * 6, type: FrameType.settings, flags: 0, streamId: 0 });
  settings.forEach(([id, value], i) => {
    frame[HEADER_LENGTH + i * 6 + 1] = id;
    writeUint32(frame, HEADER_LENGTH + i * 6 + 2, value);
  });
  return frame;
}

export function settingsAck(): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH);
  writeFrameHeader(frame, 0, { length: 0, type: FrameType.settings, flags: Flag.ack, streamId: 0 });
  return frame;
}

/** The answer to a PING, with its eight bytes. */
export function pingAck(payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH + 8);
  writeFrameHeader(frame, 0, { length: 8, type: FrameType.ping, flags: Flag.ack, streamId: 0 });
  frame.set(payload, HEADER_LENGTH);
  return frame;
}

export function goAwayFrame(lastStreamId: number, code: ErrorCode): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH + 8);
  writeFrameHeader(frame, 0, { length: 8, type: FrameType.goAway, flags: 0, streamId: 0 });
  writeUint32(frame, HEADER_LENGTH, lastStreamId);
  writeUint32(frame, HEADER_LENGTH + 4, code);
  return frame;
}

export function resetStreamFrame(streamId: number, code: ErrorCode): Uint8Array {
  return numberFrame(FrameType.resetStream, streamId, code);
}

export function windowUpdateFrame(streamId: number, increment: number): Uint8Array {
  return numberFrame(FrameType.windowUpdate, streamId, increment);
}

function numberFrame(type: number, streamId: number, value: number): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH + 4);
  writeFrameHeader(frame, 0, { length: 4, type, flags: 0, streamId });
  writeUint32(frame, HEADER_LENGTH, value);
  return frame;
}
