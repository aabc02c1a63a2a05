import type { CheckResult } from '../../core/monitors/check.ts'
import {
  DIAGNOSIS_MS,
  type DiagnosisFound,
  FRESH_CHECK_SECONDS,
  HTTP_METHODS_THAT_READ,
} from '../../core/monitors/incidents/diagnosis.ts'
import { type DiagnosisEvidence, sayDiagnosis } from '../../core/monitors/incidents/diagnosis-words.ts'
import { relatedMonitors } from '../../core/monitors/incidents/related-monitors.ts'
import type { TargetLook } from '../../core/monitors/incidents/target-look.ts'
import { PROBED_TYPES, type ProbedType } from '../../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { ClaimedDiagnosis, DiagnosisClaims } from '../../store/incidents/diagnoses.ts'
import type { MonitorToCheck } from '../../store/probing/schedule.ts'
import { type ClaimedAttempts, createClaimedAttempts } from '../probing/claimed-attempts.ts'

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
type Look = (settings: ProbeSettings, signal: AbortSignal) => Promise<TargetLook | null>

type Dependencies = {
  claims: DiagnosisClaims
  probe: Probe
  /** Opens secrets. */
  settingsOf: (monitor: MonitorToCheck) => ProbeSettings
  look: Look
  onTrouble: (error: unknown) => void
  /** The bound of one, in milliseconds. */
  limitMs?: number
}

/**
 * Collects why monitors are down, for rows that ask for it: each within ten seconds, and one at a time of a team. It records no
 * check, and no alert waits for it.
 */
export function createDiagnoser(deps: Dependencies): ClaimedAttempts {
  const { claims, onTrouble } = deps
  return createClaimedAttempts({
    claim: claims.claim,
    teamOf: ({ monitor }) => monitor.team_id,
    async attempt(claimed, membership, signal) {
      const found = await diagnoseOne(deps, claimed, signal).catch((error): DiagnosisFound => {
        onTrouble(error)
        return ofTrouble(claimed)
      })
      if (signal.aborted) await claims.release(claimed, membership)
      else await claims.answer(claimed, membership, found)
    },
    capacity: 'diagnoses',
    onTrouble,
  })
}

/** A bug of ours, or a secret that no key opens, says nothing of the target. */
function ofTrouble({ region }: ClaimedDiagnosis): DiagnosisFound {
  const summary = 'could not be diagnosed: internal error, see the log of the service'
  return { outcome: 'impossible', summary, region: region || null, sections: [] }
}

async function diagnoseOne(
  { claims, probe, settingsOf, look, limitMs = DIAGNOSIS_MS }: Dependencies,
  claimed: ClaimedDiagnosis,
  stopped: AbortSignal,
): Promise<DiagnosisFound> {
  const { monitor, region } = claimed
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(limitMs)])
  const settings = isProbed(monitor) ? { ...settingsOf(monitor), team_id: monitor.team_id } : null
  const notFresh = settings === null ? 'nothing checks it: others tell how it is' : whyNotChecked(settings)
  const [facts, seen, fresh] = await Promise.all([
    claims.readFacts(claimed),
    settings && look(settings, signal),
    settings && notFresh === null ? checkAfresh(probe, settings, signal) : null,
  ])
  const hosts = hostsOf(seen)
  const others = hosts.length > 0 ? await claims.readOthers(claimed, hosts) : []
  const evidence: DiagnosisEvidence = {
    ...facts,
    region: region || null,
    since: claimed.startedAt,
    look: withEncryption(seen, fresh),
    fresh,
    notFresh,
    ...relatedMonitors(others, hosts),
  }
  return sayDiagnosis(evidence)
}

function isProbed(monitor: MonitorToCheck): monitor is MonitorToCheck & { type: ProbedType } {
  return PROBED_TYPES.some((type) => type === monitor.type)
}

/** Why its check is not made once more; null where it may be. */
function whyNotChecked(settings: ProbeSettings): string | null {
  if (settings.type === 'domain') return 'not made: registries bound how often they are asked'
  const { options } = settings
  const methods = [
    'http_method' in settings ? settings.http_method : null,
    ...(options?.steps ?? []).map(({ method }) => method),
  ]
  const writes = methods.find((method) => method && !HTTP_METHODS_THAT_READ.some((one) => one === method))
  if (writes) return `not made: a request by ${writes} may change something`
  if (options?.method) return `not made: a call of ${options.method} may change something`
  if (options?.publish || options?.send) return 'not made: its check sends something'
  return null
}

async function checkAfresh(
  probe: Probe,
  settings: ProbeSettings,
  signal: AbortSignal,
): Promise<DiagnosisEvidence['fresh']> {
  const usualSeconds = settings.request_timeout_seconds
  const limitSeconds = Math.min(usualSeconds, FRESH_CHECK_SECONDS)
  const shows = { shows_answer: true, shows_encryption: true, shows_traits: true }
  const asked = { ...settings, request_timeout_seconds: limitSeconds, ...shows }
  return { result: await probe(asked, signal), limitSeconds, usualSeconds }
}

/** A talk before TLS is only the check's: its handshake is the one to tell of. */
function withEncryption(look: TargetLook | null, fresh: DiagnosisEvidence['fresh']): TargetLook | null {
  const encryption = look?.encryption ?? fresh?.result.encryption ?? null
  return look && { ...look, encryption }
}

/** The host of the target, and each address that it has. */
function hostsOf(look: TargetLook | null): string[] {
  if (look === null) return []
  const addresses = look.names?.kind === 'asked' ? look.names.addresses : []
  return [...new Set([look.host, ...addresses, ...look.connections.map(({ address }) => address)])]
}
