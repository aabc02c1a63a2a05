import { CONFIRM_AFTER_MS, type FindingKind, REMIND_AFTER_MS, type Source } from './site-finding.ts'

/** Kinds that are told. All others are listed only: they work, or could not be judged. */
const TOLD_KINDS = ['broken_link', 'mixed_active', 'sitemap_fault'] as const satisfies FindingKind[]

/** A finding as it is stored, as far as it matters here. */
export type KnownFinding = {
  key: string
  kind: FindingKind
  address: string
  detail: string
  sources: Source[]
  firstSeenAt: Date
  confirmedAt: Date | null
  toldAt: Date | null
  fixedAt: Date | null
  ignoredAt: Date | null
}

/** A fault that a crawl has seen. */
export type SeenFault = {
  key: string
  kind: FindingKind
  address: string
  detail: string
  sources: Source[]
  /** It says the same at each look, such as the text of a page; a link may fail for a moment. */
  isCertain: boolean
}

export type Crawled = {
  seen: SeenFault[]
  /** The fate of a known finding that was not seen: core/sites/crawl/is-fixed.ts. */
  fateOf: (key: string) => 'fixed' | 'stays' | 'forgotten'
  at: Date
}

type Named = Pick<KnownFinding, 'address' | 'detail' | 'sources'>

export type Review = {
  /** Faults to write: new ones, and known ones that were seen again. */
  faults: (SeenFault & { confirmedAt: Date | null; isReopened: boolean })[]
  fixed: string[]
  /** Not fixed, as far as anybody knows, and not looked at any more. */
  forgotten: string[]
  /** Findings that the digest tells of. */
  told: string[]
  /** `3 new, 1 fixed, 12 known`; null: nothing to tell. */
  digest: string | null
  /** Findings that the digest names: new ones, or in a reminder all that stand; and those that are fixed. */
  named: { open: Named[]; fixed: Named[] }
  /** Confirmed, not fixed and not ignored, of a kind that is told. */
  open: number
}

/** Compares what a crawl has seen with what is known of an area. */
export function reviewFindings(known: readonly KnownFinding[], { seen, fateOf, at }: Crawled): Review {
  const byKey = new Map(known.map((finding) => [finding.key, finding]))
  const seenKeys = new Set(seen.map(({ key }) => key))
  const faults = seen.map((fault) => {
    const before = byKey.get(fault.key)
    const isReopened = before !== undefined && before.fixedAt !== null
    return { ...fault, isReopened, confirmedAt: confirmedAt(fault, isReopened ? undefined : before, at) }
  })
  const unseen = known.filter(({ key, fixedAt }) => fixedAt === null && !seenKeys.has(key))
  const fates = Map.groupBy(unseen, ({ key }) => fateOf(key))
  const { fixed: gone = [], stays: staying = [], forgotten = [] } = Object.fromEntries(fates)
  const isHeeded = (key: string) => !byKey.get(key)?.ignoredAt
  const stands = ({ kind, key, confirmedAt }: Pick<KnownFinding, 'kind' | 'key' | 'confirmedAt'>) =>
    isTold(kind) && confirmedAt !== null && isHeeded(key)
  const named = new Map([...faults.filter(stands), ...staying.filter(stands)].map((one) => [one.key, one]))
  const standing = [...named.keys()]
  const isNew = (key: string) => {
    const before = byKey.get(key)
    return before === undefined || before.toldAt === null || before.fixedAt !== null
  }
  const fresh = standing.filter(isNew)
  const fixed = gone.filter(({ toldAt, ignoredAt }) => toldAt !== null && ignoredAt === null)
  const isDue = isReminderDue(known, standing, at)
  const isNews = fresh.length > 0 || fixed.length > 0 || isDue
  return {
    faults,
    fixed: gone.map(({ key }) => key),
    forgotten: forgotten.filter(({ ignoredAt }) => ignoredAt === null).map(({ key }) => key),
    told: isNews ? standing : [],
    digest: isNews ? digestOf(fresh.length, fixed.length, standing.length - fresh.length) : null,
    named: {
      open: (fresh.length > 0 ? fresh : standing).flatMap((key) => named.get(key) ?? []),
      fixed,
    },
    open: standing.length,
  }
}

function isTold(kind: FindingKind): boolean {
  return (TOLD_KINDS as readonly FindingKind[]).includes(kind)
}

function confirmedAt({ isCertain }: SeenFault, before: KnownFinding | undefined, at: Date): Date | null {
  if (before?.confirmedAt) return before.confirmedAt
  if (isCertain) return at
  const isOld = before !== undefined && at.getTime() - before.firstSeenAt.getTime() >= CONFIRM_AFTER_MS
  return isOld ? at : null
}

/** Whether all that stands was last told a week ago or earlier. */
function isReminderDue(known: readonly KnownFinding[], standing: string[], at: Date): boolean {
  const keys = new Set(standing)
  const told = known.flatMap(({ key, toldAt }) => (keys.has(key) && toldAt ? [toldAt.getTime()] : []))
  return told.length > 0 && at.getTime() - Math.max(...told) >= REMIND_AFTER_MS
}

function digestOf(fresh: number, fixed: number, known: number): string {
  return `${fresh} new, ${fixed} fixed, ${known} known`
}
