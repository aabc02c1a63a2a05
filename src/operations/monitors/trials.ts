import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { storedMessage } from '../../core/monitors/check.ts'
import { createRules } from '../../core/monitors/monitor-rules.ts'
import { isSetByHand } from '../../core/monitors/monitor-types.ts'
import { maskFaults, mergeOptions } from '../../core/monitors/options/monitor-options.ts'
import { withStoredSecrets } from '../../core/monitors/options/secret-options.ts'
import { probeSettings } from '../../core/monitors/probe-settings.ts'
import { intervalSecondsOf } from '../../core/probing/schedule.ts'
import { TRIAL_MARGIN_MS, type Trial, TrialBody } from '../../core/probing/trial.ts'
import { parseFields } from '../../core/validation.ts'
import { findMonitor, type MonitorRecord } from '../../store/monitors/monitors.ts'
import { insertTrial, readTrial, type TrialRecord } from '../../store/probing/trials.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { throttle } from '../sign-in/throttle.ts'
import { presentCheckDetail } from './checks.ts'
import { refuseUnreadableOptions } from './expectations.ts'

/** A test has no interval that a plan could limit. */
const ANY_INTERVAL = { min_interval_minutes: 0, min_interval_seconds: 0 }

/** Stores the settings for a process that checks, and wakes it. Nothing else comes of it. */
export const testMonitorSettings: Implementation<'testMonitorSettings'> = {
  validate({ refuseAddress, lacks }, { actor }, body) {
    const rules = createRules({
      plan: ANY_INTERVAL,
      planName: actor.plan,
      refuseAddress: (url) => refuseAddress('check', url),
      lacks,
    })
    return parseFields(TrialBody, body, rules)
  },

  async perform(services, { actor, body }) {
    const { type } = body
    if (type === 'heartbeat') {
      throw Refusal.invalid({ type: [said('is heartbeat: its job calls, and there is nothing to test')] })
    }
    if (type === 'group') {
      throw Refusal.invalid({
        type: [said('is group: its state follows from those of its members, and there is nothing to test')],
      })
    }
    if (isSetByHand(type)) {
      throw Refusal.invalid({
        type: [said('is manual: people and scripts set its status, and there is nothing to test')],
      })
    }
    await throttle(services.limits.perTryingTeam, String(actor.teamId))
    const stored = await storedOf(services, actor, body)
    const faults = maskFaults(body.options, stored?.options ?? null)
    if (faults.length > 0)
      throw Refusal.invalid(Object.fromEntries(faults.map(({ field, message }) => [field, [message]])))
    const options = withStoredSecrets(body.options, stored?.options).options
    await refuseUnreadableOptions(services, options, null)
    const settings = probeSettings(type, {
      ...body,
      password: passwordOf(stored, body),
      options: mergeOptions(null, options),
      interval_seconds: intervalSecondsOf(body),
      shows_answer: true,
    })
    const id = await insertTrial(services.db.query, services.vault, {
      teamId: actor.teamId,
      userId: actor.userId,
      settings,
      forMs: settings.request_timeout_seconds * 1_000 + TRIAL_MARGIN_MS,
    })
    return { body: { data: { id } } }
  },
}

/** As saving the form would leave it: an empty password keeps the stored one, and no user name removes it. */
function passwordOf(stored: MonitorRecord | null, { username, password }: TrialBody): string | null {
  if (username === null) return null
  return password || (stored?.password ?? password)
}

/** The monitor that the form is about; null where it is a new one. */
async function storedOf(
  { db, vault }: Services,
  actor: Actor,
  { monitor_id: id }: TrialBody,
): Promise<MonitorRecord | null> {
  if (id === null) return null
  const stored = await findMonitor(db.query, vault, actor.teamId, id)
  if (!stored) throw new Refusal('notFound')
  return stored
}

export const getMonitorTrial: Implementation<'getMonitorTrial'> = {
  async perform({ db }, { actor, query: { id } }) {
    const found = await readTrial(db.query, { teamId: actor.teamId, userId: actor.userId, id })
    return { body: { data: presentTrial(found) } }
  },
}

function presentTrial(found: TrialRecord | null): Trial {
  if (!found) return { state: 'gone', check: null }
  if (!found.done) return { state: found.isTaken ? 'checking' : 'waiting', check: null }
  const { checkedAt, region, result } = found.done
  const { answer = null, ...rest } = result
  const detail = presentCheckDetail({ ...rest, checkedAt, region, errorMessage: storedMessage(result) })
  return { state: 'done', check: { ...detail, checked_at: formatInstant(checkedAt), answer } }
}
