import { type Said, said } from '../../core/language/said.ts'
import { pageLabel } from '../../core/moving-in/names.ts'
import type { Draft } from '../draft.ts'
import { slugNear } from '../draft-page.ts'
import { type Fields, isOn, numberOf, textOf } from '../fields.ts'

/** Rows of status pages in Uptime Kuma's database. */
export type KumaPages = {
  pages: Fields[]
  domains: Fields[]
  groups: Fields[]
  shown: Fields[]
  incidents: Fields[]
}

/** Names under which monitors were drafted, and those of all, by their IDs. */
type Names = { drafted: Map<number | null, string>; all: Map<number | null, Fields> }

export function draftKumaPages(draft: Draft, rows: KumaPages, names: Names): void {
  const domains = ofPages(rows.domains)
  const groups = ofPages(rows.groups)
  const incidents = ofPages(rows.incidents)
  const shown = Map.groupBy(rows.shown, ({ group_id }) => numberOf(group_id))
  for (const page of rows.pages) {
    const id = numberOf(page.id)
    const groupsOf = inOrder(groups.get(id) ?? []).map((group) => ({
      name: textOf(group.name) || 'Services',
      monitors: inOrder(shown.get(numberOf(group.id)) ?? []).map(({ monitor_id }) => numberOf(monitor_id)),
    }))
    draftOne(draft, page, names, {
      groups: groupsOf,
      domains: (domains.get(id) ?? []).map(({ domain }) => textOf(domain)),
      hasIncident: (incidents.get(id) ?? []).some(({ active, pin }) => isOn(active) && isOn(pin)),
    })
  }
}

type Around = {
  groups: { name: string; monitors: (number | null)[] }[]
  domains: string[]
  hasIncident: boolean
}

function draftOne(draft: Draft, page: Fields, { drafted, all }: Names, around: Around): void {
  const wanted = textOf(page.title) || textOf(page.slug)
  const lost = around.groups
    .flatMap(({ monitors }) => monitors.filter((id) => !drafted.has(id)))
    .map((id) => textOf(all.get(id)?.name) || `monitor ${id}`)
  const groups = around.groups.map(({ name, monitors }) => ({
    name,
    monitors: monitors.flatMap((id) => drafted.get(id) ?? []),
  }))
  const slug = textOf(page.slug)
  const theme = textOf(page.theme)
  const name = draft.page({
    name: wanted,
    slug,
    description: textOf(page.description),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    isPublished: isOn(page.published, true),
    groups: groups.filter(({ monitors }) => monitors.length > 0),
  })
  if (name === null) return
  const { domains } = around
  const notes: [applies: boolean, note: Said][] = [
    [slugNear(slug) !== slug, said('is at {path} here', { path: `/status/${slugNear(slug)}` })],
    [lost.length > 0, said('also showed what did not come over: {names}', { names: lost.join(', ') })],
    [
      domains.length > 0,
      said('was at {domains}: add and prove that domain in the dashboard', { domains: domains.join(', ') }),
    ],
    [around.hasIncident, said('showed a message that is left there: post it in the dashboard')],
    [
      textOf(page.icon) !== '' && !/^\/icon\.svg/.test(textOf(page.icon)),
      said('had a logo: set it in the dashboard'),
    ],
    [textOf(page.custom_css).trim() !== '', said('had a style sheet: pages here have colors alone')],
    [textOf(page.footer_text).trim() !== '', said('had a text at its foot, which pages here do not have')],
  ]
  for (const [applies, note] of notes) if (applies) draft.note(pageLabel(name), note)
}

function ofPages(rows: Fields[]): Map<number | null, Fields[]> {
  return Map.groupBy(rows, ({ status_page_id }) => numberOf(status_page_id))
}

/** The rows by weight, as Uptime Kuma shows them. */
function inOrder(rows: Fields[]): Fields[] {
  const weightOf = ({ weight }: Fields) => numberOf(weight) ?? 0
  return rows.toSorted((a, b) => weightOf(a) - weightOf(b) || (numberOf(a.id) ?? 0) - (numberOf(b.id) ?? 0))
}
