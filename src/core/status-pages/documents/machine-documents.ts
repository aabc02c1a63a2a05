import type { Badge } from '../../monitors/badge.ts'
import type { PageModel } from '../page-model.ts'
import { type AtlassianPath, atlassianDocuments } from './atlassian.ts'
import { type Feed, feedOf, type RenderBody } from './feed.ts'
import { atomOf, type FeedPath, jsonFeedOf, rssOf } from './feed-formats.ts'
import { pageBadge } from './page-badge.ts'
import { plannedCalendar } from './planned-calendar.ts'

/** A path below the page, without a slash before it. */
export type MachinePath = AtlassianPath | FeedPath | 'maintenance.ics' | 'badge.svg'

/** A form of the page that programs read. */
export type MachineDocument = { path: MachinePath; type: string; body: string }

export type MachineTools = {
  renderBody: RenderBody
  drawBadge(badge: Badge): string
  /** The address that feeds say they stand below, if it is not the page's: of a private page, with its token. */
  feedBase?: string
}

type Written = {
  model: PageModel
  atlassian: Record<AtlassianPath, object>
  feed: Feed
  tools: MachineTools
}

const JSON_TYPE = 'application/json; charset=utf-8'

function atlassian(path: AtlassianPath) {
  return { type: JSON_TYPE, write: (written: Written) => JSON.stringify(written.atlassian[path]) }
}

/** Every document for programs: where it is, what it is, and how it is written. */
const DOCUMENTS = {
  'api/v2/summary.json': atlassian('api/v2/summary.json'),
  'api/v2/status.json': atlassian('api/v2/status.json'),
  'api/v2/components.json': atlassian('api/v2/components.json'),
  'api/v2/incidents.json': atlassian('api/v2/incidents.json'),
  'api/v2/incidents/unresolved.json': atlassian('api/v2/incidents/unresolved.json'),
  'api/v2/scheduled-maintenances.json': atlassian('api/v2/scheduled-maintenances.json'),
  'api/v2/scheduled-maintenances/upcoming.json': atlassian('api/v2/scheduled-maintenances/upcoming.json'),
  'api/v2/scheduled-maintenances/active.json': atlassian('api/v2/scheduled-maintenances/active.json'),
  'feed.rss': { type: 'application/rss+xml; charset=utf-8', write: ({ feed }) => rssOf(feed) },
  'feed.atom': { type: 'application/atom+xml; charset=utf-8', write: ({ feed }) => atomOf(feed) },
  'feed.json': { type: 'application/feed+json; charset=utf-8', write: ({ feed }) => jsonFeedOf(feed) },
  'maintenance.ics': { type: 'text/calendar; charset=utf-8', write: ({ model }) => plannedCalendar(model) },
  'badge.svg': {
    type: 'image/svg+xml; charset=utf-8',
    write: ({ model, tools }) => tools.drawBadge(pageBadge(model)),
  },
} as const satisfies Record<MachinePath, { type: string; write(written: Written): string }>

/** To route them. */
export const MACHINE_PATHS = Object.keys(DOCUMENTS) as MachinePath[]

/** All of them, as serving and the export use them. */
export function machineDocuments(model: PageModel, tools: MachineTools): MachineDocument[] {
  const written: Written = {
    model,
    atlassian: atlassianDocuments(model),
    feed: feedOf(model, tools.renderBody, tools.feedBase),
    tools,
  }
  return MACHINE_PATHS.map((path) => {
    const { type, write } = DOCUMENTS[path]
    return { path, type, body: write(written) }
  })
}
