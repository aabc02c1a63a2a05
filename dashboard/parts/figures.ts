/** A share of 0 to 1 as a percentage that never rounds trouble away: 99.999 is not 100. */
export function sayShare(share: number | null): string {
  if (share === null) return '–'
  if (share === 1) return '100 %'
  const percent = Math.floor(share * 100_000) / 1_000
  return `${percent >= 99 ? percent.toFixed(3).replace(/0$/, '') : percent.toFixed(1)} %`
}

export function sayMs(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 10_000 ? `${ms.toLocaleString()} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** 30 s, 5 min, 2 h: an interval as people name it. */
export function sayInterval(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}
