import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import { ofEachKind, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'
import { carries } from '../../../src/core/tags/selector.ts'
import { ask } from '../../data/ask.ts'
import { componentsIn, type LayoutDraft } from '../../forms/status-pages/layout-draft.ts'

export type Found = Record<SubjectKind, SubjectName[]>

/** Subjects that carry some tags now: as many of each kind as a page can have. */
export async function carriersOf(team: number, tags: string[]): Promise<Found> {
  const monitor: SubjectName[] = []
  for (let page = 1; monitor.length < MAX_COMPONENTS; page++) {
    const query = { page, per_page: MAX_PER_PAGE, sort: 'name', tags: tags.join(',') } as const
    const { data, meta } = await ask(team, 'listMonitorRows', { query })
    monitor.push(...data.map(nameOf))
    if (page >= meta.last_page) break
  }
  const [servers, sites] = await Promise.all([ask(team, 'listServers', {}), ask(team, 'listSites', {})])
  const carriersIn = (rows: readonly (SubjectName & { tags: string[] })[]) =>
    rows.filter((row) => carries(row.tags, tags)).map(nameOf)
  return { monitor, server: carriersIn(servers.data), site: carriersIn(sites.data) }
}

function nameOf({ id, name }: SubjectName): SubjectName {
  return { id, name }
}

/** Those that are not on the page. */
export function withoutKnown(found: Found, draft: LayoutDraft): Found {
  const known = componentsIn(draft)
  return ofEachKind((kind) => found[kind].filter(({ id }) => !known.some((one) => one[kind]?.id === id)))
}
