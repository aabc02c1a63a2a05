/** How full a disk is, in percent, by the hour. The same for each run. */
export type Level = (hour: number) => number

/** Noise with a standard deviation of 1, the same for each minute. */
export function noise(hour: number): number {
  const even = (salt: number) => {
    const x = Math.sin(Math.round(hour * 60) * 12.9898 + salt) * 43_758.5453
    return x - Math.floor(x)
  }
  return Math.sqrt(-2 * Math.log(even(1) + 1e-9)) * Math.cos(2 * Math.PI * even(2))
}

/** Rises from one level to another, and falls back, again and again. */
export function sawtooth(hour: number, period: number, from: number, to: number): number {
  return from + ((to - from) * (hour % period)) / period
}

/** Something that comes at an hour of each period, takes a time to rise, stays for another and is gone. */
export function visit(
  hour: number,
  { period, at, rising, staying, height }: Record<'period' | 'at' | 'rising' | 'staying' | 'height', number>,
): number {
  const since = (((hour - at) % period) + period) % period
  if (since < rising) return (height * since) / rising
  return since < rising + staying ? height : 0
}

/** Rises by a rate that changes over the day: its mean, and the share of it by which it is higher at its height. */
export function tide(hour: number, rate: number, share: number, phase = 0): number {
  const turn = (at: number) => Math.cos((2 * Math.PI * at) / 24 + phase)
  return rate * (hour - share * (24 / (2 * Math.PI)) * (turn(hour) - turn(0)))
}
