// Keys that a server keeps about itself: whoever takes over its data makes its own.

const INTERNAL = /^\/registry\/(health$|masterleases\/|peerserverleases\/|ranges\/)/;

export function isInternalKey(key: string): boolean {
  return INTERNAL.test(key);
}
