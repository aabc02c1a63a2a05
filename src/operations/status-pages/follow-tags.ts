import { type Carriers, followGroups } from '../../core/status-pages/following-groups.ts'
import { matches } from '../../core/tags/selector.ts'
import type { Query } from '../../postgres/database.ts'
import {
  listFollowingGroups,
  readCarriers,
  readFollowed,
  writeFollowing,
} from '../../store/status-pages/following-groups.ts'
import { lockPage, pageChanged } from '../../store/status-pages/pages.ts'

/**
 * Brings status pages whose groups follow tags in line with who carries them, in the transaction of the change. `touched`:
 * the tags that somebody got or lost. The caller holds the tags of the team (`lockTags`).
 */
export async function followTagsOnPages(
  query: Query,
  teamId: number,
  touched: readonly string[],
): Promise<void> {
  const groups = await listFollowingGroups(query, teamId)
  const pages = new Set(
    groups
      .filter(({ tags }) => tags.some((selector) => touched.some((tag) => matches(tag, selector))))
      .map(({ pageId }) => pageId),
  )
  if (pages.size === 0) return
  const carriers = await readCarriers(query, teamId)
  for (const pageId of pages) {
    if (!(await lockPage(query, teamId, pageId))) continue
    if (await followOnPage(query, pageId, carriers)) await pageChanged(query, teamId, pageId)
  }
}

/** The same for a locked page. Returns whether it changed. */
export async function followOnPage(query: Query, pageId: number, carriers: Carriers): Promise<boolean> {
  const { groups, components } = await readFollowed(query, pageId)
  const following = followGroups(groups, components, carriers)
  const { leaving, marked, joining } = following
  if (leaving.length + marked.length + joining.length === 0) return false
  await writeFollowing(query, pageId, following)
  return true
}
