import type { Advice } from './advice.ts'
import { CONTACT_TYPES, type ContactType } from './contact-types.ts'
import type { DeliveryAttempt } from './delivery-log.ts'

type Answer = Pick<DeliveryAttempt, 'outcome' | 'status_code' | 'detail'>

/** The advice about an attempt that failed, in English; null where it passes by itself, or nobody knows. */
export function adviceOf(type: ContactType, { outcome, status_code, detail }: Answer): string | null {
  if (outcome === 'sent') return null
  const { advice }: { advice: readonly Advice[] } = CONTACT_TYPES[type]
  const fits = ({ status, says }: Advice) =>
    (status === null || status === status_code) && (says === null || says.test(detail))
  return advice.find(fits)?.words ?? null
}
