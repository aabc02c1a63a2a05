import type { Sending } from '../channel.ts'

/**
 * Names an incident or drill among those that other installations send to the same receiver, or else the one alert. All
 * alerts of an incident have it. At most `limit` characters.
 */
export function incidentKey(
  { messageId, alert, incidentId }: Pick<Sending<unknown>, 'messageId' | 'alert' | 'incidentId'>,
  siteUrl: string,
  limit = 255,
): string {
  const what = alert.drill
    ? `drill-${alert.drill.id}`
    : incidentId === null
      ? messageId
      : `${alert.type}-incident-${incidentId}`
  return `${new URL(siteUrl).host.slice(0, limit - what.length - 1)}-${what}`
}
