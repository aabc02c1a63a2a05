import { queryOptions } from '@tanstack/react-query'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { ask } from '../ask.ts'

/** Every monitor of the team, through all pages of its list. */
export async function readAllMonitors(team: number): Promise<Monitor[]> {
  const found: Monitor[] = []
  for (let page = 1; ; page++) {
    const query = { page: String(page), per_page: String(MAX_PER_PAGE) }
    const { data, links } = await ask(team, 'listMonitors', { query })
    found.push(...data)
    if (links.next === null || data.length === 0) return found
  }
}

export function allMonitorsQuestion(team: number) {
  return queryOptions({
    queryKey: [team, 'allMonitors', null, null] as const,
    queryFn: () => readAllMonitors(team),
    refetchOnMount: 'always' as const,
  })
}
