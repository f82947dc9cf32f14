// Header blocks as they come in, in one frame or many (RFC 9113, section 4.3).
import { concatBytes } from "../../../machinery/bytes.ts";
import { ConnectionError, ErrorCode, Flag, type Frame } from "./frames.ts";
import { HpackDecoder, HpackError } from "./hpack/decoder.ts";
import { checkDependency, unpadded } from "./payloads.ts";
import { HeadCollector } from "./request_head.ts";

/** The table that clients may use, unless they are told of another one. */
const HEADER_TABLE_SIZE = 4096;
/** Bytes and frames of one block. */
export const MAX_BLOCK_SIZE = 1 << 20;
const MAX_BLOCK_FRAMES = 128;

export interface HeaderBlock {
  streamId: number;
  endStream: boolean;
  head: HeadCollector;
}

interface OpenBlock {
  streamId: number;
  endStream: boolean;
  pieces: Uint8Array[];
  length: number;
}

export class HeaderBlocks {
  readonly #decoder = new HpackDecoder(HEADER_TABLE_SIZE);
  #open: OpenBlock | undefined;

  /** Whether a block has begun and not ended: then nothing else may come. */
  get open(): boolean {
    return this.#open !== undefined;
  }

  /** Takes a HEADERS frame. The block, when that is all of it. */
  begin(frame: Frame): HeaderBlock | undefined {
    const { streamId, flags } = frame;
    if (streamId === 0) throw new ConnectionError(ErrorCode.protocol, "headers without a stream");
    let block = unpadded(frame);
    if (flags & Flag.priority) {
      if (block.length < 5) throw new ConnectionError(ErrorCode.frameSize, "a priority that is cut off");
      checkDependency(streamId, block);
      block = block.subarray(5);
    }
    const endStream = (flags & Flag.endStream) !== 0;
    if (flags & Flag.endHeaders) return { streamId, endStream, head: this.#decode(block) };
    this.#open = { streamId, endStream, pieces: [block.slice()], length: block.length };
  }

  /** Takes a CONTINUATION frame. The block, when that is the end of it. */
  continue({ streamId, flags, payload }: Frame): HeaderBlock | undefined {
    const open = this.#open;
    if (open?.streamId !== streamId) throw new ConnectionError(ErrorCode.protocol, "a continuation of nothing");
    open.pieces.push(payload.slice());
    open.length += payload.length;
    if (open.length > MAX_BLOCK_SIZE || open.pieces.length > MAX_BLOCK_FRAMES) {
      throw new ConnectionError(ErrorCode.enhanceYourCalm, "a header block that does not end");
    }
    if ((flags & Flag.endHeaders) === 0) return;
    this.#open = undefined;
    return { streamId, endStream: open.endStream, head: this.#decode(concatBytes(open.pieces, open.length)) };
  }

  /** Also a block that nobody wants has to be read: later ones build on it. */
  #decode(block: Uint8Array): HeadCollector {
    const head = new HeadCollector();
    try {
      this.#decoder.decode(block, head.add);
    } catch (error) {
      if (error instanceof HpackError) throw new ConnectionError(ErrorCode.compression, error.message);
      throw error;
    }
    return head;
  }
}
