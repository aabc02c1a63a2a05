import type { Alert, AlertEscalation } from '../alerting/alert.ts'

/** The alert of a step or a reminder: the one that opened the incident, with how long that lasts and why it comes now. */
export function stepAlert(first: Alert, escalation: AlertEscalation): Alert {
  return { ...first, escalation }
}
