import { DAY_MS } from '../../core/history/history-span.ts'
import type { ReportRange } from '../../core/history/report-range.ts'
import { emptyRollUp, latencyOf, mergeRollUp } from '../../core/history/roll-up.ts'
import {
  type Badge,
  type BadgeKind,
  BadgeQuery,
  responseBadge,
  statusBadge,
  uptimeBadge,
} from '../../core/monitors/badge.ts'
import { liveStatus } from '../../core/monitors/status.ts'
import { isUuid } from '../../core/text.ts'
import { parseFields } from '../../core/validation.ts'
import type { Database } from '../../postgres/database.ts'
import { readRolledUp } from '../../store/history/summaries.ts'
import { readUptimes } from '../../store/history/uptimes.ts'
import { type BadgeSubject, findBadgeSubject } from '../../store/monitors/badges.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'

/** A request for a badge, identified by the badge's id alone. */
export type AskedBadge = { badgeId: string; kind: BadgeKind; query: Record<string, string>; address: string }

/** The badge's current content. Refuses with 429, 404 and 422. */
export async function readBadge(services: Services, asked: AskedBadge): Promise<Badge> {
  const { db, limits } = services
  const found = isUuid(asked.badgeId) ? await findBadgeSubject(db.query, asked.badgeId) : null
  const subject = await foundBySecret(services, 'badge', asked.address, found)
  await throttle(limits.perBadgeAddress, asked.address)
  const { window, label } = parseOrRefuse(parseFields(BadgeQuery, asked.query))
  const badge = await READERS[asked.kind](db, subject, window, services.now())
  return { ...badge, label: label ?? badge.label }
}

type Reader = (db: Database, subject: BadgeSubject, window: ReportRange, now: Date) => Promise<Badge>

const READERS = {
  status: async (_db, subject) => statusBadge(liveStatus(subject)),
  uptime: async (db, { monitorId }, window, now) => {
    const uptimes = await readUptimes(db, [monitorId], now)
    return uptimeBadge(window, uptimes.get(monitorId)?.[window] ?? null)
  },
  response: async (db, { monitorId }, _window, now) => responseBadge(await medianOfDay(db, monitorId, now)),
} satisfies Record<BadgeKind, Reader>

/** Computed from hourly roll-ups, as in the list of monitors: a page view with a badge must not scan checks. */
async function medianOfDay(db: Database, monitorId: number, now: Date): Promise<number | null> {
  const hours = await readRolledUp(db, [monitorId], 'hour', new Date(now.getTime() - DAY_MS), now)
  const day = emptyRollUp()
  for (const { rollUp } of hours) mergeRollUp(day, rollUp)
  return latencyOf(day).p50
}
