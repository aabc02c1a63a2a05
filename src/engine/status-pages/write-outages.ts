import { MAX_POSTS, MAX_UPDATES_OF_POST } from '../../core/status-pages/post.ts'
import {
  beginPost,
  continuePost,
  type DownComponent,
  POST_AFTER_MS,
  type PostingPage,
} from '../../core/status-pages/posts/automatic-post.ts'
import type { Database, Query } from '../../postgres/database.ts'
import {
  findAutomaticPost,
  joinOutages,
  linkIncidents,
  listDownComponents,
  listOwnPosts,
  listPagesToPost,
} from '../../store/status-pages/automatic-posts.ts'
import { readLayout } from '../../store/status-pages/layout.ts'
import { lockPage, type PageRecord, pageChanged } from '../../store/status-pages/pages.ts'
import { countPosts } from '../../store/status-pages/posts.ts'
import { findTemplate } from '../../store/status-pages/templates.ts'
import { listUpdates } from '../../store/status-pages/updates.ts'
import { writePost, writeUpdate } from '../../store/status-pages/written-posts.ts'

/**
 * Posts for components that went down, drafts or published as their pages say: one for an outage, however many components
 * it takes along. A post goes on by itself until a person changes it.
 */
export async function writeOutages(db: Database, now: Date): Promise<void> {
  const downSince = new Date(now.getTime() - POST_AFTER_MS)
  for (const { teamId, pageId } of await listPagesToPost(db.query, downSince)) {
    await db.query.transaction().execute(async (query) => {
      const page = await lockPage(query, teamId, pageId)
      if (!page) return
      await joinOutages(query, pageId)
      const down = await listDownComponents(query, pageId, downSince)
      if (await writeOfPage(query, page, down, now)) await pageChanged(query, teamId, pageId)
    })
  }
}

/** False where nothing is written. */
async function writeOfPage(
  query: Query,
  page: PageRecord,
  found: DownComponent[],
  now: Date,
): Promise<boolean> {
  const down = await leaveToPeople(query, page.id, found)
  const open = await findAutomaticPost(query, page.id)
  return open ? writeNext(query, page, open, down, now) : writeFirst(query, page, down, now)
}

/** Outages that people write about by themselves need no post of ours. */
async function leaveToPeople(query: Query, pageId: number, down: DownComponent[]): Promise<DownComponent[]> {
  if (!down.some(({ isNew }) => isNew)) return down
  const taken = new Set<number>()
  for (const { postId, componentIds } of await listOwnPosts(query, pageId)) {
    const told = down.filter(({ id, isNew }) => isNew && componentIds.includes(id))
    await linkIncidents(query, { pageId, postId }, told)
    for (const { id } of told) taken.add(id)
  }
  return down.filter(({ id }) => !taken.has(id))
}

async function writeFirst(
  query: Query,
  page: PageRecord,
  down: DownComponent[],
  now: Date,
): Promise<boolean> {
  const { id: pageId, teamId } = page
  const begun = down.filter(({ isNew }) => isNew)
  const [first] = begun
  if (!first || (await countPosts(query, teamId, { pageId })) >= MAX_POSTS) return false
  const { title, update } = beginPost(await postingPage(query, page), begun)
  const post = {
    pageId,
    kind: 'incident' as const,
    title,
    scheduledFor: null,
    scheduledUntil: null,
    incidentId: first.kind === 'monitor' ? (first.incidentIds[0] ?? null) : null,
    isAutomatic: true,
    publishedAt: page.posts === 'publish' ? now : null,
  }
  const postId = await writePost(query, teamId, post, update)
  await linkIncidents(query, { pageId, postId }, begun)
  return true
}

async function writeNext(
  query: Query,
  page: PageRecord,
  post: NonNullable<Awaited<ReturnType<typeof findAutomaticPost>>>,
  down: DownComponent[],
  now: Date,
): Promise<boolean> {
  const updates = await listUpdates(query, post.id)
  const { components } = await readLayout(query, page.id)
  const names = new Map(components.map(({ id, name }) => [id, name]))
  const named = (updates.at(-1)?.impacts ?? []).map(({ component_id: id }) => ({
    id,
    name: names.get(id) ?? null,
  }))
  const joined = down.filter(({ isNew }) => isNew)
  await linkIncidents(query, { pageId: page.id, postId: post.id }, joined)
  const next = continuePost(await postingPage(query, page), named, down, now)
  if (next === null) return false
  // The last place is for the end.
  if (next.phase !== 'resolved' && updates.length >= MAX_UPDATES_OF_POST - 1) return false
  await writeUpdate(query, page.teamId, post, next)
  return true
}

async function postingPage(query: Query, page: PageRecord): Promise<PostingPage> {
  const template = page.template_id === null ? null : await findTemplate(query, page.teamId, page.template_id)
  return { name: page.name, language: page.language, template }
}
