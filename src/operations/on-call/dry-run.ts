import type { QuietHours } from '../../core/alerting/quiet-hours.ts'
import { quietUntil } from '../../core/alerting/quiet-until.ts'
import { formatInstant } from '../../core/instant.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { type SubjectCover, teamCover } from '../../core/maintenance/team-cover.ts'
import { chosenField, NOTHING_CHOSEN } from '../../core/maintenance/window.ts'
import { type DryRunEvent, dryRun } from '../../core/on-call/dry-run.ts'
import { NO_CHAIN } from '../../core/on-call/escalation.ts'
import { policyRules } from '../../core/on-call/policy.ts'
import {
  DRY_RUN_HOURS,
  type DryRun,
  DryRunQuestion,
  MAX_DRY_RUN_EVENTS,
} from '../../core/on-call/shown-escalation.ts'
import { who } from '../../core/on-call/who.ts'
import { parseFields } from '../../core/validation.ts'
import { readTeamWindows } from '../../store/maintenance/judged-windows.ts'
import { appliedPolicy } from '../../store/on-call/applied-policy.ts'
import { type AlertableContact, readAlertable } from '../../store/on-call/known-contacts.ts'
import { readInStore } from '../../store/on-call/new-escalations.ts'
import { listSchedules, type ScheduleRecord } from '../../store/on-call/schedules.ts'
import type { Implementation } from '../implementation.ts'
import { refuseUnknownSubjects } from '../maintenance/subject-ids.ts'
import { refuseUnknownTargets } from './policies.ts'

const HOUR_MS = 3_600_000
/** A window is followed to its end in such steps. */
const COVER_STEP_MS = 8 * 24 * HOUR_MS

export const previewEscalation: Implementation<'previewEscalation'> = {
  validate(_services, _asked, body) {
    return parseFields(DryRunQuestion, body, ({ policy }) =>
      (policy ? policyRules(policy) : []).map(({ field, message }) => ({
        field: `policy.${field}`,
        message,
      })),
    )
  },

  async perform({ db }, { actor: { teamId }, body }) {
    const { kind, id } = body
    const chosen = { ...NOTHING_CHOSEN, [chosenField(kind)]: [id] }
    const subject = (await refuseUnknownSubjects(db.query, teamId, chosen))[kind][0]
    if (body.policy) await refuseUnknownTargets(db.query, teamId, body.policy)
    const failsAt = new Date(body.at)
    const until = new Date(failsAt.getTime() + DRY_RUN_HOURS * HOUR_MS)
    const [settings, applied, contacts, schedules, windows] = await Promise.all([
      readInStore(db.pool, { kind, id }, teamId),
      appliedPolicy(db.query, teamId, { kind, id }),
      readAlertable(db.query, teamId, { kind, id }),
      listSchedules(db.query, teamId, failsAt),
      readTeamWindows(db.pool, [teamId], new Date(failsAt.getTime() - COVER_STEP_MS)),
    ])
    const cover = teamCover(windows.get(teamId)?.windows ?? [])[kind]
    const events = dryRun<AlertableContact>(
      {
        chain: body.policy ?? applied ?? NO_CHAIN,
        reminderMinutes: settings.reminderMinutes,
        contacts,
        onCallAt: (scheduleId, at) => onCallAt(schedules, scheduleId, at),
        restsUntil: (at) => endOfCover(cover, id, at),
      },
      failsAt,
      { until, limit: MAX_DRY_RUN_EVENTS },
    )
    return { body: { data: present({ name: subject?.name ?? '', kind }, events, schedules, failsAt) } }
  },
}

function onCallAt(schedules: ScheduleRecord[], scheduleId: number, at: Date): readonly number[] | null {
  const schedule = schedules.find(({ id }) => id === scheduleId)
  return (schedule && who(schedule, at)?.contact_ids) ?? null
}

/** Null where no window applies to the subject. */
function endOfCover(cover: SubjectCover, id: number, at: Date): Date | null {
  if (!cover.applies(id, at)) return null
  const [span] = cover.spansOf(id, at, new Date(at.getTime() + COVER_STEP_MS))
  return span ? new Date(span.toMs) : null
}

function present(
  { name, kind }: { name: string; kind: SubjectKind },
  events: DryRunEvent<AlertableContact>[],
  schedules: ScheduleRecord[],
  failsAt: Date,
): DryRun {
  return {
    subject: name,
    opens_at: formatInstant(events[0]?.at ?? failsAt),
    events: events.map(({ scheduleId, at, contacts, ...event }) => ({
      ...event,
      at: formatInstant(at),
      schedule: schedules.find(({ id }) => id === scheduleId)?.name ?? null,
      contacts: contacts.map(({ contactId, name, quietHours }) => ({
        ...{ id: contactId, name },
        quiet: quietAt(quietHours, kind, at),
      })),
    })),
  }
}

/** The fate of an alert that something is down. */
function quietAt(rule: QuietHours | null, kind: SubjectKind, at: Date) {
  const until = quietUntil(rule, `${kind}.down`, at)
  return rule && until && { action: rule.action, until: formatInstant(until) }
}
