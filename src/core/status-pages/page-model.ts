import type { StateTimes } from '../history/uptime.ts'
import type { ComponentState } from './component-state.ts'
import type { PostKind, PostPhase } from './post.ts'
import type { StatusPage } from './status-page.ts'

/** A published page as a visitor may see it: nothing internal is in it. Every form of the page is made from it. */
export type PageModel = {
  id: number
  settings: Omit<StatusPage, 'networks' | 'posts' | 'template_id'>
  /** Address without a slash at the end: of the own domain, or `{site_url}/status/{slug}`. */
  url: string
  /** Changes with the logo; null without one. */
  logoTag: string | null
  createdAt: Date
  /** When anything on it last changed. */
  updatedAt: Date
  /** The instant that it is true for. */
  asOf: Date
  state: ComponentState
  items: PageItem[]
  /** Posts that are not over, newest first. */
  active: PagePost[]
  /** Maintenance that is to come, the next first: from posts and from windows. */
  planned: PlannedMaintenance[]
  /** Posts that are over and of the last days, newest first. */
  recent: PagePost[]
}

export type PageItem = { group: PageGroup } | { component: PageComponent }

export type PageGroup = {
  id: number
  name: string
  isOpen: boolean
  state: ComponentState
  components: PageComponent[]
  createdAt: Date
}

export type PageComponent = {
  id: number
  name: string
  description: string
  state: ComponentState
  createdAt: Date
  updatedAt: Date
  /** Null where they are not shown. */
  history: ComponentHistory | null
  chart: ComponentChart | null
}

/** A day of UTC and the time in each state; `null` before the monitor existed. */
export type ComponentDay = { day: Date; times: StateTimes | null }

export type ComponentHistory = {
  /** Oldest first, as many as the page shows, today last. */
  days: ComponentDay[]
  /** Over all these days, 0 to 1; null if nothing was judged. */
  uptime: number | null
  /** Not counted in it. */
  maintenanceMs: number
  unknownMs: number
}

/** Median response times of the last 24 hours, one for a quarter of an hour; null where none passed. */
export type ComponentChart = { from: Date; stepMs: number; medianMs: (number | null)[] }

export type PagePost = {
  id: number
  kind: PostKind
  title: string
  phase: PostPhase
  /** The worst that it said about a component. */
  impact: ComponentState
  startedAt: Date
  resolvedAt: Date | null
  scheduledFor: Date | null
  scheduledUntil: Date | null
  createdAt: Date
  updatedAt: Date
  /** Newest first. */
  updates: PagePostUpdate[]
  /** Components that it ever named, as its latest update says; those that it does not name any more work. */
  components: { id: number; name: string; state: ComponentState }[]
}

export type PagePostUpdate = {
  id: number
  phase: PostPhase
  /** Markdown. */
  body: string
  at: Date
  createdAt: Date
  impacts: { componentId: number; name: string; state: ComponentState }[]
}

/** Posts that began in a month of UTC, newest first. */
export type PageMonth = { month: Date; posts: PagePost[] }

export type PlannedMaintenance = {
  /** The ID of a post; null for an occurrence of a window. */
  postId: number | null
  /** Stays the same from one rendering to the next. */
  key: string
  title: string
  note: string
  startsAt: Date
  endsAt: Date
  isRunning: boolean
  components: { id: number; name: string }[]
}
