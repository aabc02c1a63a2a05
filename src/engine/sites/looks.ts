import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { LookedArea } from '../../core/sites/area.ts'
import type { CertificateLook } from '../../core/sites/certificate.ts'
import type { DnsLook } from '../../core/sites/dns/records.ts'
import type { RdapServices } from '../../core/sites/domain/rdap.ts'
import type { Registration } from '../../core/sites/domain/registration.ts'
import { needsAnotherLook } from '../../core/sites/home-page.ts'
import type { ShownCertificate } from '../../core/sites/shown-site.ts'
import type { DueArea } from '../../store/sites/due-areas.ts'
import type { FoundLook } from './site-finding.ts'

const TIMEOUT_SECONDS = 10
const ALL_2XX = Array.from({ length: 100 }, (_, index) => 200 + index)

/** The ways to look, behind the guard that keeps our own trouble from counting against a site. */
export type LookDeps = {
  probe: (
    settings: ProbeSettings,
    signal: AbortSignal,
  ) => Promise<CheckResult & { chain?: ShownCertificate[] }>
  lookAtDns: (host: string, signal: AbortSignal) => Promise<DnsLook>
  lookAtDomain: (
    services: RdapServices,
    host: string,
    signal: AbortSignal,
  ) => Promise<{ domain: string | null; registration: Registration }>
  services: () => Promise<RdapServices>
}

export type LookAtArea = (due: DueArea & { area: LookedArea }, signal: AbortSignal) => Promise<FoundLook>

/** Looks at one area of a site. */
export function createLook(deps: LookDeps): LookAtArea {
  return async ({ area, url, homeIntervalSeconds }, signal) => {
    const { hostname } = new URL(url)
    const host = hostname.replace(/\.$/, '')
    const look = { url, interval_seconds: homeIntervalSeconds, request_timeout_seconds: TIMEOUT_SECONDS }
    switch (area) {
      case 'home_page': {
        const settings = { ...look, type: 'http' as const, expected_status_codes: ALL_2XX }
        return { area, looks: await lookUntilSure(() => deps.probe(settings, signal)) }
      }
      case 'certificate': {
        if (!url.startsWith('https:')) return { area, look: { kind: 'none' } }
        const looks = await lookUntilSure(() => deps.probe({ ...look, type: 'ssl' }, signal))
        return { area, look: certificateLookOf(looks) }
      }
      case 'dns':
        return { area, host, look: await deps.lookAtDns(host, signal) }
      case 'domain':
        return { area, ...(await deps.lookAtDomain(await deps.services(), host, signal)) }
    }
  }
}

/** Further looks follow at once; the last one decides. */
async function lookUntilSure<Result extends CheckResult>(look: () => Promise<Result>): Promise<Result[]> {
  const looks = [await look()]
  while (needsAnotherLook(looks)) looks.push(await look())
  return looks
}

function certificateLookOf(looks: (CheckResult & { chain?: ShownCertificate[] })[]): CertificateLook {
  const last = looks.at(-1)
  if (last?.status === 'up') return { kind: 'valid', chain: last.chain ?? [] }
  const reason = last?.errorMessage ?? 'nothing is known'
  // Without an answer there was no handshake: the home page tells of that.
  return last?.status === 'down' && last.responseTimeMs !== null
    ? { kind: 'refused', reason, chain: last.chain ?? [] }
    : { kind: 'unknown', reason }
}
