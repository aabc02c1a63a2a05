import type { AccessTerms } from '../../../core/status-pages/serving/page-access.ts'
import { waitUnlessAborted } from '../../../postgres/delays.ts'
import { type LoopReports, type Round, startLoop } from '../../../postgres/loop.ts'
import type { PageVersion, ServedPageRow } from '../../../store/status-pages/served-pages.ts'

/** How often the versions of all pages are read; a notification only makes it sooner. */
export const FOLLOW_EVERY_MS = 1_000
/** Notifications that come together are answered by one reading, and reading takes half of the time at most. */
const MIN_WAIT_MS = 50
/** Without a reading for this long, pages say of when they are. */
export const AWAY_AFTER_MS = 5_000

export type ServedPage = AccessTerms & ServedPageRow & { version: string }

/** Which pages there are, as this process knows it: no request reads them. */
export type FollowedPages = {
  bySlug(slug: string): ServedPage | null
  byDomain(domain: string): ServedPage | null
  byId(id: number): ServedPage | null
  all(): Iterable<ServedPage>
  /** Reads the versions soon. */
  wake(): void
  /** Whether the records could not be read for a while. */
  isAway(): boolean
  /** Resolves when all pages are known. */
  known: Promise<void>
  close(): Promise<void>
}

type Reading = {
  readVersions: () => Promise<PageVersion[]>
  /** Reads the pages that changed; a page that is gone meanwhile is left out. */
  readPages: (ids: number[]) => Promise<ServedPageRow[]>
  /** Called with pages that are new or changed, and those that are gone. */
  onChange: (changed: ServedPage[], gone: number[]) => void
  monotonicMs: () => number
} & LoopReports

/** Follows all pages until it is closed. */
export function followPages({
  readVersions,
  readPages,
  onChange,
  monotonicMs,
  onTrouble,
  onRound,
}: Reading): FollowedPages {
  const pages = new Map<number, ServedPage>()
  let bySlug = new Map<string, ServedPage>()
  let byDomain = new Map<string, ServedPage>()
  let readAt = monotonicMs()
  let isTroubled = false
  const { promise: known, resolve: nowKnown } = Promise.withResolvers<void>()

  async function read(): Promise<void> {
    const versions = await readVersions()
    const present = new Set(versions.map(({ id }) => id))
    const gone = [...pages.keys()].filter((id) => !present.has(id))
    const stale = versions.filter(({ id, version }) => pages.get(id)?.version !== version)
    if (gone.length + stale.length === 0) return
    const rows = stale.length === 0 ? [] : await readPages(stale.map(({ id }) => id))
    const versionOf = new Map(stale.map(({ id, version }) => [id, version]))
    const changed = rows.map((row) => ({ ...row, version: versionOf.get(row.id) as string }))
    for (const id of gone) pages.delete(id)
    for (const page of changed) pages.set(page.id, page)
    bySlug = new Map([...pages.values()].map((page) => [page.slug, page]))
    byDomain = new Map([...pages.values()].flatMap((page) => page.domains.map((domain) => [domain, page])))
    onChange(changed, gone)
  }

  /** Says once that reading fails. */
  async function readOrReport(stopped: AbortSignal): Promise<void> {
    try {
      await read()
      readAt = monotonicMs()
      isTroubled = false
      onRound?.()
      nowKnown()
    } catch (error) {
      if (!isTroubled && !stopped.aborted) onTrouble(error)
      isTroubled = true
    }
  }

  /** A call only shortens the part of the pause that no other reading needs. */
  async function follow({ stopped }: Round): Promise<number> {
    const beganAt = monotonicMs()
    await readOrReport(stopped)
    const tookMs = monotonicMs() - beganAt
    await waitUnlessAborted(stopped, Math.min(FOLLOW_EVERY_MS, Math.max(MIN_WAIT_MS, tookMs)))
    return FOLLOW_EVERY_MS - (monotonicMs() - beganAt)
  }

  const loop = startLoop({ work: follow, onTrouble })
  return {
    bySlug: (slug) => bySlug.get(slug) ?? null,
    byDomain: (domain) => byDomain.get(domain) ?? null,
    byId: (id) => pages.get(id) ?? null,
    all: () => pages.values(),
    wake: loop.wake,
    isAway: () => monotonicMs() - readAt > AWAY_AFTER_MS,
    known,
    close: loop.close,
  }
}
