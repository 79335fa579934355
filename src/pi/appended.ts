/** The list with one more item. Hosts freeze what they are given: then the list is copied, and the run goes on. */
export function appended<T>(list: T[], ...items: readonly T[]): T[] {
  if (!Object.isExtensible(list)) return [...list, ...items];
  list.push(...items);
  return list;
}
