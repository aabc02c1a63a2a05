import type { CheckResult } from '../check.ts'
import {
  dialsUrl,
  type MonitorType,
  neededOptionsOf,
  SCHEMES_OF_SEVERAL,
  schemesOf,
  topicsOf,
} from '../monitor-types.ts'
import type { TalkedResult, TargetLook } from './target-look.ts'

/** How a target looked when a check of it passed: a later failure is compared with that. Secrets are masked. */
export type Baseline = {
  seenAt: Date
  /** Empty where it has no name. */
  region: string
  address: string | null
  server: string | null
  bytes: number | null
  redirect: string | null
  /** That of the leaf certificate; SHA-256, hex. */
  fingerprint: string | null
}

/** Whether checks of a type connect to the host of its URL alone: not to several hosts, nor to those that one of them names. */
function isOfOneHost(type: MonitorType): boolean {
  const namesSeveral = schemesOf(type)?.some((scheme) => SCHEMES_OF_SEVERAL.has(scheme)) === true
  const isOfSteps = neededOptionsOf(type).includes('steps')
  return dialsUrl(type) && !namesSeveral && !isOfSteps && topicsOf(type) === null
}

/** The part of a passing check that later ones are compared with. */
export function traitsOf(
  type: MonitorType,
  { address, traits, certificate }: Pick<CheckResult, 'address' | 'traits' | 'certificate'>,
): Omit<Baseline, 'seenAt' | 'region'> {
  const { server = null, bytes = null, redirect = null } = traits ?? {}
  // Behind a redirect it is that of another host, perhaps.
  const isOne = redirect === null && isOfOneHost(type)
  return {
    address: (isOne && address) || null,
    ...{ server, bytes, redirect },
    fingerprint: certificate?.fingerprint ?? null,
  }
}

/** A change is written at most so often for each monitor, and how it looks after a day again, changed or not. */
export const BASELINE_CHANGES_MS = 60 * 60_000
export const BASELINE_AGAIN_MS = 24 * 60 * 60_000

/** The present look of the target, from this region. */
type SeenNow = {
  region: string | null
  fresh: { result: TalkedResult } | null
  look: TargetLook | null
}

type Facet = { name: string; before: string | null; now: string | null; isSame?: boolean }

/** Each part that is known of both sides, as lines; what is as it was stands in the last one. `at` writes a time. */
export function baselineChanges(
  baseline: Baseline | null,
  seen: SeenNow,
  at: (time: Date) => string,
): string[] {
  if (baseline === null) return []
  const facets = facetsOf(baseline, seen)
  const isSame = ({ before, now, isSame }: Facet) => isSame ?? before === now
  const same = facets.filter(isSame).map(({ name }) => name)
  const differing = facets.filter((facet) => !isSame(facet))
  return [
    ...(differing.length > 0 ? [`beside the check that passed at ${at(baseline.seenAt)}:`] : []),
    ...differing.map(({ name, before, now }) => `${name}: ${before ?? 'none'} before, ${now ?? 'none'} now`),
    ...(same.length > 0 ? [`as at ${at(baseline.seenAt)}: ${same.join(', ')}`] : []),
  ]
}

function facetsOf(baseline: Baseline, { region, fresh, look }: SeenNow): Facet[] {
  const facets: Facet[] = []
  const addresses = addressesNow(fresh?.result, look)
  // Names have other addresses elsewhere.
  const isComparable = baseline.region === (region ?? '') && look?.isThroughProxy !== true
  if (baseline.address !== null && addresses.length > 0 && isComparable)
    facets.push({
      name: 'address',
      before: baseline.address,
      now: addresses.join(', '),
      isSame: addresses.includes(baseline.address),
    })
  const traits = fresh?.result.traits
  if (traits) {
    const size = (bytes: number) => `${bytes.toLocaleString('en-US')} bytes`
    const hasAnswered = [baseline.server, baseline.bytes, baseline.redirect].some((one) => one !== null)
    if (baseline.server !== null || (hasAnswered && traits.server !== null))
      facets.push({ name: 'server', before: baseline.server, now: traits.server })
    if (baseline.bytes !== null && traits.bytes !== null)
      facets.push({ name: 'size', before: size(baseline.bytes), now: size(traits.bytes) })
    if (hasAnswered || traits.redirect !== null)
      facets.push({ name: 'redirect', before: baseline.redirect, now: traits.redirect })
  }
  const shown = look?.encryption?.kind === 'spoken' ? look.encryption.chain[0]?.fingerprint : undefined
  const fingerprint = fresh?.result.certificate?.fingerprint ?? shown
  // That of a redirect's end stands for itself.
  if (
    baseline.fingerprint !== null &&
    fingerprint !== undefined &&
    baseline.redirect === (traits?.redirect ?? null)
  )
    facets.push({
      name: 'certificate',
      before: `SHA-256 ${baseline.fingerprint.slice(0, 16)}…`,
      now: `SHA-256 ${fingerprint.slice(0, 16)}…`,
      isSame: baseline.fingerprint === fingerprint,
    })
  return facets
}

/** All addresses of the target that are known now: one among them is as good as another. */
function addressesNow(
  result: Pick<CheckResult, 'address' | 'traits'> | undefined,
  look: TargetLook | null,
): string[] {
  const named = look?.names?.kind === 'asked' ? look.names.addresses : []
  const tried = (look?.connections ?? []).map(({ address }) => address)
  const checked = result?.address !== undefined && !result.traits?.redirect ? [result.address] : []
  return [...new Set([...named, ...tried, ...checked])]
}
