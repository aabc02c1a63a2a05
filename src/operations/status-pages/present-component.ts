import { startOfDay } from '../../core/history/history-span.ts'
import type { TeamCover } from '../../core/maintenance/team-cover.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import {
  componentDay,
  historyOf,
  lastDays,
  type SaidPost,
  saidDays,
} from '../../core/status-pages/component-history.ts'
import { type ComponentState, stateOfSubject, worstState } from '../../core/status-pages/component-state.ts'
import { subjectOf } from '../../core/status-pages/component-subject.ts'
import type { ComponentHistory, PageComponent } from '../../core/status-pages/page-model.ts'
import type { DayTimes } from '../../store/history/day-times.ts'
import type { ShownComponentRow } from '../../store/status-pages/shown-components.ts'
import type { Charts } from './charts.ts'

/** Everything about a page that its components are made from. */
type PageContext = {
  /** How many days the bars show. */
  days: number
  now: Date
  posts: readonly SaidPost[]
  dayTimes: Record<SubjectKind, DayTimes>
  charts: Charts
  /** The cover of the windows that pages show, and of all windows. */
  cover: TeamCover
  wholeCover: TeamCover
  said: Map<number, ComponentState>
}

export function presentComponent(row: ShownComponentRow, context: PageContext): PageComponent {
  const { id, name, description, created_at: createdAt } = row
  const said = context.said.get(id) ?? 'operational'
  return {
    id,
    name,
    description,
    state: worstState([ownState(row, context), said]),
    createdAt,
    updatedAt: new Date(Math.max(row.updated_at.getTime(), row.status_since?.getTime() ?? 0)),
    history: row.shows_uptime ? readHistory(row, context) : null,
    chart: (row.shows_chart && row.monitor_id !== null && context.charts.get(row.monitor_id)) || null,
  }
}

/** The state but for what posts say. */
function ownState(row: ShownComponentRow, { cover, wholeCover, now }: PageContext): ComponentState {
  const subject = subjectOf(row)
  if (!subject) return row.state
  const inWindow = cover[subject.kind].applies(subject.id, now)
  return stateOfSubject({
    kind: subject.kind,
    status: row.status ?? 'pending',
    isActive: row.is_active === true,
    inWindow,
    isMuted: !inWindow && wholeCover[subject.kind].applies(subject.id, now),
  })
}

function readHistory(row: ShownComponentRow, context: PageContext): ComponentHistory {
  const { days, now, posts, dayTimes } = context
  const starts = lastDays(now, days)
  const subject = subjectOf(row)
  if (!subject) {
    return historyOf(saidDays(posts, { id: row.id, createdAt: row.created_at }, starts, now), false)
  }
  const known = dayTimes[subject.kind].get(subject.id)
  const life = { createdAt: row.subject_created_at ?? now, now }
  return historyOf(
    starts.map((day) => componentDay(day, known?.get(day.getTime()), life)),
    true,
  )
}

export function firstDayOf(days: number, now: Date): Date {
  return startOfDay(now, 1 - days)
}
