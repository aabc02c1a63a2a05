import type { PageModel, PagePost } from '../../../core/status-pages/page-model.ts'
import {
  latestMonths,
  type PostTimes,
  postsOfMonth,
  startOfMonth,
} from '../../../core/status-pages/serving/post-times.ts'
import type { PageReader } from '../read-model.ts'

/** A document of a page: `id` tells it from the page's others. `month` or `post`: what it shows besides the model. */
export type DocumentWish = { id: string; month?: string; post?: number }

/**
 * Posts for their own pages and for those of months. Those on the page, or of the latest months, are shown without
 * reading: so they are there while the records are away, whether they were asked for before or not.
 */
export function createReadyPosts(source: Pick<PageReader, 'readMonth' | 'readPost'>) {
  return {
    /** Posts of the latest months that are not on the page, read when it is made. */
    async read(model: PageModel, times: PostTimes): Promise<PagePost[]> {
      const known = new Set(postsOn(model).map(({ id }) => id))
      const others: PagePost[] = []
      for (const month of latestMonths(times, model)) {
        if (postsOfMonth(times, month).every((id) => known.has(id))) continue
        const { posts } = await source.readMonth(model.id, startOfMonth(month))
        others.push(...posts.filter(({ id }) => !known.has(id)))
      }
      return others
    },

    /** Those that a document shows, newest first. `others` were read before; asked for only where they are needed. */
    async find(
      model: PageModel,
      times: PostTimes,
      others: () => PagePost[],
      { month, post }: DocumentWish,
    ): Promise<PagePost[]> {
      if (month === undefined && post === undefined) return []
      const wanted = new Set(month === undefined ? [post] : postsOfMonth(times, month))
      const found = [...postsOn(model), ...others()].filter(({ id }) => wanted.has(id))
      if (found.length === wanted.size) return found.sort(newestFirst)
      if (month !== undefined) return (await source.readMonth(model.id, startOfMonth(month))).posts
      const read = await source.readPost(model.id, post as number)
      return read ? [read] : []
    },
  }
}

function postsOn({ active, recent }: PageModel): PagePost[] {
  return [...active, ...recent]
}

function newestFirst(one: PagePost, other: PagePost): number {
  return other.startedAt.getTime() - one.startedAt.getTime() || other.id - one.id
}
