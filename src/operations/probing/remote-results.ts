import { ofSeveralChecks } from '../../core/expectations/response-times.ts'
import { patienceOf } from '../../core/monitors/options/patience.ts'
import { checkResultOf, type ProbeResult } from '../../core/probing/remote-probe.ts'
import { mayHaveTurn, whyImplausible } from '../../core/probing/remote-result.ts'
import { nextTickMs, phaseMs } from '../../core/probing/schedule.ts'
import type { Turns } from '../../core/probing/turns.ts'
import { answeredKey, takeAnswers } from '../../store/probing/remote-confirmations.ts'
import {
  type MonitorAtRegion,
  type ProbeToken,
  readHoldings,
  readMonitorsAtRegion,
} from '../../store/probing/remote-probes.ts'
import type { Services } from '../services.ts'

/** Records the results of a remote probe that are believed; returns the others, with the reason. */
export async function recordRemoteResults(
  services: Services,
  token: ProbeToken,
  results: ProbeResult[],
): Promise<{ monitor_id: number; reason: string }[]> {
  const { db } = services
  const [{ nowMs, turns, holdings }, places, regions] = await Promise.all([
    readHoldings(db, token.id, [...new Set(results.map(({ membership }) => membership))]),
    readMonitorsAtRegion(db, [...new Set(results.map(({ monitor_id }) => monitor_id))], token.region),
    regionsOf(services, token, results),
  ])
  const reasons = results.map(async (result, index) => {
    const { membership, monitor_id, checked_at } = result
    const place = places.get(monitor_id)
    const about = { membership, checkedAtMs: checked_at.getTime(), slot: place?.slot }
    const reason = whyImplausible(about, holdings, nowMs)
    if (reason !== null || !place) return reason
    return record(services, result, { token, place, turns, region: regions[index] ?? null })
  })
  const refused = (await Promise.all(reasons)).flatMap((reason, index) =>
    reason === null ? [] : [{ monitor_id: (results[index] as ProbeResult).monitor_id, reason }],
  )
  services.countRefused(refused.length)
  return refused
}

/**
 * The region that each result comes from: that of the token, or one that was asked to confirm the failure and has
 * answered otherwise. A region that is not known to have been asked is not named.
 */
async function regionsOf(
  { db }: Services,
  { region: own }: ProbeToken,
  results: ProbeResult[],
): Promise<(string | null)[]> {
  const said = results.map(({ membership, monitor_id, seen_from }) =>
    seen_from === undefined || seen_from === own
      ? null
      : { membership, monitorId: monitor_id, region: seen_from },
  )
  const claimed = said.filter((one) => one !== null)
  const known = claimed.length > 0 ? await takeAnswers(db, claimed) : new Set<string>()
  return said.map((one) => (one && known.has(answeredKey(one)) ? one.region || null : own))
}

/** Why the result is refused; null once it is recorded, or known to be of no use any more. */
async function record(
  services: Services,
  { membership, monitor_id, revision, checked_at, result }: ProbeResult,
  about: { token: ProbeToken; place: MonitorAtRegion; turns: Turns | null; region: string | null },
): Promise<string | null> {
  const { type, intervalMs, askedAtMs, options, confirmation, ownRegions } = about.place
  const { region } = about.token
  const phase = phaseMs(monitor_id, intervalMs)
  const untilMs = nextTickMs(checked_at.getTime(), intervalMs, phase)
  return services.recordRemote({
    membership,
    monitorId: monitor_id,
    type,
    revision,
    checkedAt: checked_at,
    region: about.region,
    result: checkResultOf(result),
    patience: patienceOf(options, confirmation),
    assertions: ofSeveralChecks(options?.assertions),
    tick: {
      from: new Date(untilMs - intervalMs),
      until: new Date(untilMs),
      region,
      hasTurn: mayHaveTurn(about.turns, region, { intervalMs, phase, ownRegions }, checked_at.getTime()),
      askedAtMs,
    },
  })
}
