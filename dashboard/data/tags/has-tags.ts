import { useQuery } from '@tanstack/react-query'
import { question } from '../ask.ts'
import { useTeam } from '../session.ts'
import type { TagSearch } from './tag-search.ts'

/** Whether a list has the filter by tags: a team that uses no tags has none. */
export function useHasTags({ tags, group }: TagSearch): boolean {
  const { id: team } = useTeam()
  const inUse = useQuery(question(team, 'listTags', {})).data?.data ?? []
  return inUse.length > 0 || tags !== undefined || group !== undefined
}
