// What stands in the payloads of frames (RFC 9113, section 6).
import {
  ConnectionError,
  DEFAULT_FRAME_SIZE,
  ErrorCode,
  Flag,
  type Frame,
  MAX_FRAME_SIZE,
  MAX_WINDOW,
  readUint32,
  Setting,
  StreamError,
} from "./frames.ts";

/** The payload of a DATA or HEADERS frame without its padding. */
export function unpadded({ flags, payload }: Frame): Uint8Array {
  if ((flags & Flag.padded) === 0) return payload;
  if (payload.length === 0 || payload[0] >= payload.length) {
    throw new ConnectionError(ErrorCode.protocol, "padding that is longer than its frame");
  }
  return payload.subarray(1, payload.length - payload[0]);
}

/** Priorities are not used any more (section 5.3.2), but one kind of them was always a fault. */
export function checkDependency(streamId: number, priority: Uint8Array): void {
  if ((readUint32(priority, 0) & 0x7fffffff) === streamId) {
    throw new StreamError(streamId, ErrorCode.protocol, "a stream that depends on itself");
  }
}

/** What a client wants of us, where it says so. */
export interface PeerSettings {
  headerTableSize?: number;
  initialWindowSize?: number;
  maxFrameSize?: number;
}

/** Of what is said more than once in a frame the last counts. */
export function readSettings(payload: Uint8Array): PeerSettings {
  if (payload.length % 6 !== 0) throw new ConnectionError(ErrorCode.frameSize, "settings have six bytes each");
  const settings: PeerSettings = {};
  for (let at = 0; at < payload.length; at += 6) {
    const value = readUint32(payload, at + 2);
    switch (payload[at] << 8 | payload[at + 1]) {
      case Setting.headerTableSize:
        settings.headerTableSize = value;
        break;
      case Setting.enablePush:
        if (value > 1) throw new ConnectionError(ErrorCode.protocol, "ENABLE_PUSH is 0 or 1");
        break;
      case Setting.initialWindowSize:
        if (value > MAX_WINDOW) throw new ConnectionError(ErrorCode.flowControl, `INITIAL_WINDOW_SIZE ${value}`);
        settings.initialWindowSize = value;
        break;
      case Setting.maxFrameSize:
        if (value < DEFAULT_FRAME_SIZE || value > MAX_FRAME_SIZE) {
          throw new ConnectionError(ErrorCode.protocol, `MAX_FRAME_SIZE ${value}`);
        }
        settings.maxFrameSize = value;
    }
  }
  return settings;
}
