// Looking up words of clients in objects: in tables, and in maps of other clients.

/** The entry of that name; undefined when there is none. What every object has, such as `constructor`, is no entry. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
