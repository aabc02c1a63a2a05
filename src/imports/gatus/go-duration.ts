const SECONDS: Record<string, number> = { h: 3_600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Reads a duration in Go's format (`1h30m`, `500ms`), in seconds; null for anything else. */
export function secondsOfGoDuration(text: string): number | null {
  if (text.trim() === '0') return 0
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)(ms|us|µs|ns|h|m|s)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return null
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (SECONDS[unit ?? ''] ?? 0), 0)
}
