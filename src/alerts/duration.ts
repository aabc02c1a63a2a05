const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A length of time as a person says it, in its two largest units: `4 minutes 10 seconds`, `1 day`. */
export function inWords(seconds: number): string {
  let rest = Math.floor(seconds)
  const parts = UNITS.map(([name, length]) => {
    const count = Math.floor(rest / length)
    rest %= length
    return { name, count }
  })
  const first = parts.findIndex((part) => part.count > 0)
  if (first === -1) return 'less than a second'
  return parts
    .slice(first, first + 2)
    .filter((part) => part.count > 0)
    .map(({ name, count }) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(' ')
}
