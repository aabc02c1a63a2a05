/** A place that was opened from the finder. */
export type Used = { value: string; label: string; href: string }

const KEY = 'upbeat-finder'
const KEPT = 8

/** The places that were opened last in a team, the last first. */
export function recentIn(team: number): Used[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { team: number; used: Used[] } | null
    return kept?.team === team && Array.isArray(kept.used) ? kept.used.slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Keeps those of one team: who changes teams works there. */
export function noteUse(team: number, { value, label, href }: Used): void {
  const others = recentIn(team).filter((one) => one.value !== value)
  const used = [{ value, label, href }, ...others].slice(0, KEPT)
  try {
    localStorage.setItem(KEY, JSON.stringify({ team, used }))
  } catch {
    // A browser that keeps nothing: then nothing is first.
  }
}

export function forgetUses(): void {
  localStorage.removeItem(KEY)
}
