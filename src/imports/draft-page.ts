import { shownLines } from '../core/language/hidden-characters.ts'
import type { Said } from '../core/language/said.ts'
import type { DraftedPage, PageGroupFacts } from '../core/moving-in/outcome.ts'
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_SLUG_LENGTH,
  Slug,
  StatusPage,
} from '../core/status-pages/status-page.ts'
import { cut } from '../core/text.ts'
import { parseFields } from '../core/validation.ts'
import { faultOf } from './reasons.ts'

/** A status page as the other service had it. */
export type PageFacts = {
  name: string
  slug: string
  description: string
  theme: StatusPage['theme']
  isPublished: boolean
  groups: PageGroupFacts[]
}

export function draftPage({
  name,
  slug,
  description,
  theme,
  ...rest
}: PageFacts): DraftedPage | { fault: Said } {
  const judged = parseFields(StatusPage, {
    name,
    slug: slugNear(slug),
    description: cut(shownLines(description.toWellFormed().replaceAll('\0', '')), MAX_DESCRIPTION_LENGTH),
    theme,
  })
  if (!judged.ok) return { fault: faultOf(judged.faults) }
  return { page: judged.value, ...rest }
}

/** The last part of an address as it is here, as close to the wanted one as possible. */
export function slugNear(wanted: string): string {
  if (Slug.safeParse(wanted).success) return wanted
  const plain = wanted.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.slice(0, MAX_SLUG_LENGTH).replace(/^-+|-+$/g, '')
}
