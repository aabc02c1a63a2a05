/** Puts an entry last in a map that is ordered by age, and removes the oldest where there are more than `most`. */
export function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  map.delete(oldest as K)
}
