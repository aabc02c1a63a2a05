import type { PageLanguage } from '../../language/page-languages.ts'
import type { SubjectKind } from '../../maintenance/window.ts'
import { cut } from '../../text.ts'
import { MAX_TITLE_LENGTH, type PostTemplate, type PostUpdate } from '../post.ts'
import type { StatusPage } from '../status-page.ts'
import { listNames } from '../words/list-names.ts'
import { PAGE_WORDS } from '../words/words.ts'
import { fillTemplate, templateTime } from './post-template.ts'

/** An outage that is shorter is told by the color of the page alone. */
export const POST_AFTER_MS = 120_000

/**
 * A component whose subject has been down for so long. A server has an incident for each of its conditions, a site for
 * each of its areas.
 * `isNew`: no post was written about the outage.
 */
export type DownComponent = {
  id: number
  name: string
  kind: SubjectKind
  incidentIds: number[]
  startedAt: Date
  isNew: boolean
}

export type AutomaticUpdate = Pick<PostUpdate, 'phase' | 'body' | 'impacts' | 'notifies'> & { at: Date }

/** The page, as far as its texts depend on it. */
export type PostingPage = Pick<StatusPage, 'name' | 'language'> & { template: PostTemplate | null }

/** The first update of a post about components that went down, and its title. */
export function beginPost(
  page: PostingPage,
  down: readonly DownComponent[],
): { title: string; update: AutomaticUpdate } {
  const words = PAGE_WORDS[languageOf(page)].outages
  const component = listOf(page, down)
  const startedAt = new Date(Math.min(...down.map((one) => one.startedAt.getTime())))
  const values = { component, page: page.name, time: templateTime(startedAt) }
  const fill = (text: string) => fillTemplate(text, values)
  const { template } = page
  return {
    title: cut(template ? fill(template.title) : words.title(component), MAX_TITLE_LENGTH),
    update: {
      phase: 'investigating',
      body: template ? fill(template.body) : words.began(component),
      impacts: impactsOf(down),
      notifies: true,
      at: startedAt,
    },
  }
}

/**
 * The next update of an open post: more components went down, some are up again, or all are. Null where nothing changed.
 * `named`: the components that its latest update names, which may have left the page.
 */
export function continuePost(
  page: PostingPage,
  named: readonly { id: number; name: string | null }[],
  down: readonly DownComponent[],
  now: Date,
): AutomaticUpdate | null {
  const words = PAGE_WORDS[languageOf(page)].outages
  const before = new Set(named.map(({ id }) => id))
  const added = down.filter(({ id, isNew }) => isNew && !before.has(id))
  const left = down.filter(({ id }) => before.has(id))
  const impacts = impactsOf([...left, ...added])
  if (added.length > 0) {
    const body = words.joined(listOf(page, added))
    return { phase: 'investigating', body, impacts, notifies: true, at: now }
  }
  if (left.length === 0) {
    return { phase: 'resolved', body: words.resolved, impacts: [], notifies: true, at: now }
  }
  if (left.length === before.size) return null
  const ids = new Set(left.map(({ id }) => id))
  const eased = named.flatMap(({ id, name }) => (ids.has(id) || name === null ? [] : [{ name }]))
  // No messages for each: subscribers get one when all is over.
  return {
    phase: 'investigating',
    body: eased.length === 0 ? '' : words.eased(listOf(page, eased)),
    impacts,
    notifies: false,
    at: now,
  }
}

function languageOf({ language }: Pick<PostingPage, 'language'>): PageLanguage {
  return language === 'auto' ? 'en' : language
}

function listOf(page: PostingPage, components: readonly { name: string }[]): string {
  return listNames(
    languageOf(page),
    components.map(({ name }) => name),
  )
}

function impactsOf(down: readonly DownComponent[]) {
  return down.map(({ id }) => ({ component_id: id, state: 'major_outage' as const }))
}
