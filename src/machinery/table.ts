// Looking up what clients say in tables that are objects.

/** The entry of that name; undefined when the table has none. What every object has, such as `constructor`, is no entry. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
