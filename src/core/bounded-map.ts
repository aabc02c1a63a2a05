/** Puts an entry last in a map that is ordered by age, and removes the oldest if there are more than `max`. */
export function putLast<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  const [oldest] = map.keys()
  map.delete(oldest as K)
}
