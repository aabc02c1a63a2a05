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
      : `${alert.type}-incident-${alert.knownAs ?? incidentId}`
  return keyOf(what, siteUrl, limit)
}

/** Names what a receiver keeps together: an incident, or the group in which it was told first. */
export function threadKey(
  sending: Pick<Sending<unknown>, 'messageId' | 'alert' | 'incidentId' | 'groupId'>,
  siteUrl: string,
): string {
  const { groupId } = sending
  return groupId === null ? incidentKey(sending, siteUrl) : groupKey(groupId, siteUrl)
}

/** Names an incident among those of other installations, as all of its alerts do. */
export function keyOfIncident(type: string, id: number, siteUrl: string): string {
  return keyOf(`${type}-incident-${id}`, siteUrl, 255)
}

/** Names a group of alerts among those of other installations. */
export function groupKey(groupId: string, siteUrl: string): string {
  return keyOf(`group-${groupId}`, siteUrl, 255)
}

function keyOf(what: string, siteUrl: string, limit: number): string {
  return `${new URL(siteUrl).host.slice(0, limit - what.length - 1)}-${what}`
}
