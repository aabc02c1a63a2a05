import { calendarText } from '../../maintenance/calendar-text.ts'
import type { PageModel } from '../page-model.ts'
import { PAGE_WORDS } from '../words/words.ts'
import { languageOf } from './feed.ts'
import { firstLines } from './room.ts'

/** Maintenance that is planned, of posts and windows, for calendars. It changes with the page only, not with the clock. */
export function plannedCalendar(model: PageModel): string {
  const { id, settings, url, updatedAt, planned } = model
  const words = PAGE_WORDS[languageOf(model)]
  const { host } = new URL(url)
  return calendarText(
    { title: words.page.title(settings.name), stampedAt: updatedAt },
    planned.map(({ postId, key, title, note, startsAt, endsAt, components }) => {
      const names = firstLines(components.map(({ name }) => name)).join(', ')
      const affected = names === '' ? '' : words.posts.affects(names)
      return {
        uid: `page-${id}-${key}@${host}`,
        startsAt,
        endsAt,
        summary: title,
        description: [note, affected].filter((line) => line !== '').join('\n\n'),
        url: postId === null ? url : `${url}/posts/${postId}`,
      }
    }),
  )
}
