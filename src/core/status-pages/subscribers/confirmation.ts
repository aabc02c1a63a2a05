const MAX_TRIES = 3
const GIVE_UP_AFTER_SECONDS = 600
/** The delays before the second and the third try. */
const DELAYS_SECONDS = [30, 240]
const JITTER = 0.2

/**
 * Seconds until a webhook is asked to confirm again, or null to give up: nobody there has agreed to anything yet, so it is
 * asked three times within ten minutes. The arguments are those of `nextDelaySeconds` of alerts.
 */
export function nextConfirmationSeconds(
  attempts: number,
  ageSeconds: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  if (attempts >= MAX_TRIES) return null
  const backoff = (DELAYS_SECONDS[attempts - 1] ?? 0) * (1 + JITTER * random)
  const delay = Math.max(backoff, retryAfterSeconds ?? 0)
  return ageSeconds + delay > GIVE_UP_AFTER_SECONDS ? null : delay
}
