/** The keys of a record, with their type. `Object.keys` returns any strings, since an object may have more keys than its type. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[]

/** A record that has a value for each name. */
export const recordOf = <Key extends string, Value>(
  names: readonly Key[],
  valueFor: (name: Key, index: number) => Value,
): Record<Key, Value> =>
  Object.fromEntries(names.map((name, index) => [name, valueFor(name, index)])) as Record<Key, Value>
