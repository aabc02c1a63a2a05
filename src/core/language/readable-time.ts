/**
 * Formats ISO 8601 in UTC by the clocks of a zone, as `2026-11-21 10:30:00 UTC+01:00`, and as `2026-11-21 09:30:00 UTC`
 * while they show UTC. Without a zone, or with one that this machine does not know, it is UTC: an alert never fails for it.
 */
export function readableTime(iso: string, timeZone: string | null): string {
  const local = timeZone === null ? null : clocksAt(iso, timeZone)
  const [day, time, offset] = local ?? [iso.slice(0, 10), iso.slice(11, 19), '']
  return `${day} ${time} UTC${offset}`
}

/** Null for a zone that the zone database of this machine does not have: the one that took it may have a newer one. */
function clocksAt(iso: string, timeZone: string): [day: string, time: string, offset: string] | null {
  try {
    const at = Temporal.Instant.from(iso).toZonedDateTimeISO(timeZone)
    const time = at.toPlainTime().toString({ smallestUnit: 'second' })
    return [at.toPlainDate().toString(), time, at.offsetNanoseconds === 0 ? '' : at.offset]
  } catch {
    return null
  }
}
