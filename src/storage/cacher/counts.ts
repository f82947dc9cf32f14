// What a cacher counts of its own work.

export interface CacheCounts {
  /** How often the resource was read into memory. */
  loads: number;
  eventsReceived: number;
  eventsDispatched: number;
  /** Events of present objects that watches began with. */
  initEvents: number;
  bookmarks: number;
  /** Lists of the newest state, whether it had to be waited for or not. */
  consistentReads: number;
  lists: ListCounts;
  /** Lists that a field index answered. */
  indexedLists: ListCounts;
}

export interface ListCounts {
  count: number;
  /** Objects that were looked at, and those that were answered. */
  fetched: number;
  returned: number;
}

export function newCounts(): CacheCounts {
  return {
    loads: 0,
    eventsReceived: 0,
    eventsDispatched: 0,
    initEvents: 0,
    bookmarks: 0,
    consistentReads: 0,
    lists: { count: 0, fetched: 0, returned: 0 },
    indexedLists: { count: 0, fetched: 0, returned: 0 },
  };
}
