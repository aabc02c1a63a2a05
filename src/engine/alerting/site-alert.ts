import type { Alert, SiteEvent } from '../../core/alerting/alert.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Language } from '../../core/language/language.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { AREA_NAMES, type SiteArea } from '../../core/sites/area.ts'
import type { AreaFindings } from '../../core/sites/crawl-digest.ts'

/** The site of an alert, whatever happened to it. */
export type AlertedSite = {
  siteId: number
  name: string
  url: string
  teamId: number
  teamName: string
  language?: Language
}

export type SiteNews = {
  event: SiteEvent
  /** Several of a crawl, which is told as a whole. */
  areas: SiteArea[]
  findings?: AreaFindings
  cause: string
  occurredAt: Date
  /** The time at which the trouble began, for a recovery, if that is known. */
  since: Date | null
  /** The other areas that contacts know to be in trouble, for a recovery. */
  still: SiteArea[]
}

export function siteAlert(
  { siteId, name, url, teamId, teamName, language }: AlertedSite,
  { event, areas, findings, cause, occurredAt, since, still }: SiteNews,
): Alert {
  const [area] = areas as [SiteArea]
  const isOver = event === 'site.recovery'
  return {
    event,
    type: 'site',
    id: siteId,
    name,
    target: url,
    occurredAt: formatInstant(occurredAt),
    cause,
    downSeconds: isOver && since ? secondsBetween(since, occurredAt) : null,
    teamName,
    ...(language && { language }),
    teamId,
    area: AREA_NAMES[area],
    ...(areas.length > 1 && { areas: areas.map((one) => AREA_NAMES[one]) }),
    ...(findings && { findings }),
    ...(isOver && still.length > 0 && { still: still.map((one) => AREA_NAMES[one]) }),
  }
}
