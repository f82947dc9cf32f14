// Garbage collections asked for. V8 puts a full one off as long as it can, which is right for a busy thread; a small
// server that is idle should not sit on the garbage of its start or of its last burst of requests.
import v8 from "node:v8";
import vm from "node:vm";

let collector: (() => void) | undefined;

/** A full collection of this thread's heap: it stands still meanwhile, 2 to 5 ms for each MB in use. */
export function collectGarbage(): void {
  if (collector === undefined) {
    v8.setFlagsFromString("--expose-gc");
    collector = vm.runInNewContext("gc") as () => void;
  }
  collector();
}

/** A thread is idle when it had fewer than so many things to do in so many milliseconds. */
const FEW = 10, WINDOW = 2_000;
/** A heap is worth a collection when it has grown by so much since the last one, and is no larger than so many bytes. */
const GROWTH = 1.3, LARGEST = 64 * 1024 * 1024;

/** A function to call whenever the thread has something to do: once that stops, garbage is collected. */
export function collectWhenIdle(): () => void {
  let count = 0, waiting = false, last = 0;
  const look = () => {
    if (count >= FEW) {
      count = 0;
      return wait();
    }
    waiting = false;
    count = 0;
    const { heapTotal } = Deno.memoryUsage();
    if (heapTotal > LARGEST || heapTotal < last * GROWTH) return;
    collectGarbage();
    last = Deno.memoryUsage().heapTotal;
  };
  const wait = () => {
    waiting = true;
    setTimeout(look, WINDOW).unref();
  };
  return () => {
    count++;
    if (!waiting) wait();
  };
}
