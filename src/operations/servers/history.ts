import { Refusal } from '../../core/errors.ts'
import { cutoffsOf, DAY_MS } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import {
  type HistoryPlan,
  HistoryPoints,
  MAX_HISTORY_DAYS,
  planHistory,
} from '../../core/servers/history/history-points.ts'
import type { ServerHistory } from '../../core/servers/shown-server.ts'
import type { Database } from '../../postgres/database.ts'
import { readSamples } from '../../store/servers/samples.ts'
import { readServerHours } from '../../store/servers/server-hours.ts'
import { readServerHoursUntil } from '../../store/servers/uptimes.ts'
import type { Implementation } from '../implementation.ts'

export const getServerHistory: Implementation<'getServerHistory'> = {
  async perform({ db, plans, databaseNow }, { actor, record, query: { from, to } }) {
    refuseWrongSpan(from, to)
    const { checks } = cutoffsOf(plans[actor.plan], databaseNow())
    return { body: { data: await readHistory(db, record.id, planHistory(from, to, checks)) } }
  },
}

async function readHistory(db: Database, serverId: number, plan: HistoryPlan): Promise<ServerHistory> {
  const { from, to, unit, stepSeconds } = plan
  const points = new HistoryPoints(plan)
  const samplesFrom = unit === 'sample' ? from : await addHours(db, serverId, plan, points)
  if (samplesFrom < to) {
    for (const samples of await readSamples(db, serverId, { from: samplesFrom, to }))
      points.addSamples(samples)
  }
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    step_seconds: stepSeconds,
    series: points.finish(),
  }
}

/** Returns when they end: what is not rolled up yet is still samples. */
async function addHours(
  db: Database,
  serverId: number,
  { from, to }: HistoryPlan,
  points: HistoryPoints,
): Promise<Date> {
  const until = await readServerHoursUntil(db)
  for (const { hour, summaries } of await readServerHours(db, serverId, {
    from,
    to: until < to ? until : to,
  }))
    points.addHour(hour, summaries)
  return until > from ? until : from
}

function refuseWrongSpan(from: Date, to: Date): void {
  const days = (to.getTime() - from.getTime()) / DAY_MS
  if (days > 0 && days <= MAX_HISTORY_DAYS) return
  const message = said('must be after from, and at most {days} days later, got {got}', {
    days: MAX_HISTORY_DAYS,
    got: formatInstant(to),
  })
  throw Refusal.invalid({ to: [message] })
}
