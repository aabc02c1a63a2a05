/** A remote probe that has not asked for this long hears next time that anything may have changed. */
const KEPT_MS = 10_000
const MAX_NAMED = 1_000
/** News that come together are told together, so that no probe has to ask all the time. */
const GATHER_MS = 100

type Inbox = {
  region: string
  seenMs: number
  changed: Set<number> | null
  news: boolean
  wake: (() => void) | null
}

/** News from the database, kept for remote probes until they ask. */
export type RemoteProbeNews = {
  /** These monitors have changed; null: it is not known which. */
  changed(ids: number[] | null): void
  /** Slots have moved, or turns have changed. */
  moved(): void
  /** A region is asked to confirm a failure; null: some may be. */
  asked(region: string | null): void
  /** Resolves when there is news, or after so long: to the monitors that have changed since the last time. */
  next(membership: number, region: string, longestMs: number): Promise<number[] | null>
}

export function createRemoteProbeNews(nowMs: () => number): RemoteProbeNews {
  const boxes = new Map<number, Inbox>()

  function tell(box: Inbox) {
    box.news = true
    box.wake?.()
  }

  function inboxOf(membership: number, region: string): Inbox {
    for (const [id, { seenMs }] of boxes) if (nowMs() - seenMs > KEPT_MS) boxes.delete(id)
    const box = boxes.get(membership) ?? { region, seenMs: 0, changed: null, news: true, wake: null }
    box.seenMs = nowMs()
    boxes.set(membership, box)
    return box
  }

  return {
    changed(ids) {
      for (const box of boxes.values()) {
        if (ids === null || (box.changed?.size ?? 0) + ids.length > MAX_NAMED) box.changed = null
        for (const id of ids ?? []) box.changed?.add(id)
        tell(box)
      }
    },
    moved() {
      for (const box of boxes.values()) tell(box)
    },
    asked(region) {
      for (const box of boxes.values()) if (region === null || region === box.region) tell(box)
    },
    async next(membership, region, longestMs) {
      const box = inboxOf(membership, region)
      if (!box.news) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, longestMs)
          box.wake = () => {
            clearTimeout(timer)
            setTimeout(resolve, GATHER_MS)
            box.wake = null
          }
        })
        box.wake = null
      }
      const heard = box.changed && [...box.changed]
      box.changed = new Set()
      box.news = false
      return heard
    },
  }
}
