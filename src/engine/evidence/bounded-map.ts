/** Puts an entry at the end of a map that is kept in the order of its news, and holds `most` of them. */
export function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  map.delete(oldest as K)
}
