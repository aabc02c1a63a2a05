import type { LogoType } from '../../../core/status-pages/logo/logo.ts'
import type { PageModel } from '../../../core/status-pages/page-model.ts'
import { createPageMemory } from './page-memory.ts'

/** Bytes of logos that a process keeps. */
const MAX_LOGOS_BYTES = 16 * 1_024 * 1_024

/** And of those at most that were read though nobody has asked for them. */
const MAX_AHEAD_BYTES = MAX_LOGOS_BYTES / 2

type Logo = { image: Buffer; type: LogoType }

/** Logos of pages, read once for each that a page has had, so that they are there while the records are away. */
export function createKeptLogos(deps: {
  read: (pageId: number) => Promise<Logo | null>
  monotonicMs: () => number
}) {
  const logos = createPageMemory<{ tag: string; logo: Logo }>(
    MAX_LOGOS_BYTES,
    ({ logo }) => logo.image.length,
    deps.monotonicMs,
  )

  async function logoOf({ id, logoTag }: Pick<PageModel, 'id' | 'logoTag'>): Promise<Logo | null> {
    if (logoTag === null) return null
    const kept = logos.get(String(id))
    if (kept?.tag === logoTag) return kept.logo
    const logo = await deps.read(id)
    if (logo) logos.put(String(id), { tag: logoTag, logo })
    return logo
  }

  return {
    logoOf,
    /** Reads the logo of a page before somebody asks for it, unless others that were asked for would have to go. */
    async readAhead(model: Pick<PageModel, 'id' | 'logoTag'>): Promise<void> {
      const known = logos.peek(String(model.id))
      if (known?.value.tag === model.logoTag) return
      logos.remove(String(model.id))
      if (logos.bytes >= MAX_AHEAD_BYTES) return
      await logoOf(model)
    },
    forget: (pageId: number): void => logos.remove(String(pageId)),
  }
}
