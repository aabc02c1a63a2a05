import type { PageLanguage } from '../../language/page-languages.ts'
import type { FollowedOccurrence } from '../../maintenance/followed-occurrence.ts'
import type { Impact, PostPhase } from '../post.ts'
import { PAGE_WORDS } from '../words/words.ts'
import type { AutomaticUpdate } from './automatic-post.ts'
import { templateTime } from './post-template.ts'

/** News older than this, which no process could tell in time, is no news. */
const MAX_LATE_MS = 24 * 3_600_000

/** A post about planned maintenance that is not over. */
export type PlannedPost = {
  phase: PostPhase
  isDraft: boolean
  scheduledFor: Date
  scheduledUntil: Date
  /** The latest update. */
  latest: { at: Date; impacts: readonly Impact[] }
}

/** Times that change, and updates to write, in their order. */
export type PlanStep = Partial<Pick<PlannedPost, 'scheduledFor' | 'scheduledUntil'>> & {
  updates: AutomaticUpdate[]
}

/**
 * Brings a post in line with its plan: it begins and ends at its times. `occurrence`: of the window whose times it has; null
 * once that will not take place; undefined for one that goes by its own times. A draft follows, and says nothing. Work
 * that a person is verifying, or says to go on after its end, is left to the person.
 */
export function followPlan(
  post: PlannedPost,
  occurrence: FollowedOccurrence | null | undefined,
  language: PageLanguage | 'auto',
  now: Date,
): PlanStep {
  const { phase, isDraft, latest } = post
  if (phase !== 'scheduled' && phase !== 'in_progress') return { updates: [] }
  const words = PAGE_WORDS[language === 'auto' ? 'en' : language].planned
  const updates: AutomaticUpdate[] = []
  let [current, lastAt]: [PostPhase, Date] = [phase, latest.at]
  const say = (to: PostPhase, body: string, due: Date, notifies = true) => {
    current = to
    lastAt = new Date(Math.max(due.getTime(), lastAt.getTime()))
    const isNews = now.getTime() - due.getTime() < MAX_LATE_MS
    const impacts = to === 'completed' ? [] : [...latest.impacts]
    updates.push({ phase: to, body, impacts, notifies: notifies && isNews, at: lastAt })
  }
  if (occurrence === null) {
    if (!isDraft) say('completed', phase === 'scheduled' ? words.calledOff : words.completed, now)
    return { updates }
  }
  const startsAt = (phase === 'scheduled' && occurrence?.startsAt) || post.scheduledFor
  const endsAt = occurrence?.endsAt ?? post.scheduledUntil
  const hasNewStart = startsAt.getTime() !== post.scheduledFor.getTime()
  const hasNewEnd = endsAt.getTime() !== post.scheduledUntil.getTime()
  const times = {
    ...(hasNewStart && { scheduledFor: startsAt }),
    ...(hasNewEnd && { scheduledUntil: endsAt }),
  }
  if (isDraft) return { ...times, updates }
  if (phase === 'scheduled' && (hasNewStart || hasNewEnd) && startsAt > now) {
    say('scheduled', words.moved(templateTime(startsAt), templateTime(endsAt)), now)
  } else if (phase === 'in_progress' && hasNewEnd && endsAt > now) {
    say('in_progress', words.until(templateTime(endsAt)), now)
  }
  // Maintenance that nobody told of in time tells of its end alone.
  if (current === 'scheduled' && startsAt <= now) say('in_progress', words.began, startsAt, endsAt > now)
  const goesOn = phase === 'in_progress' && latest.at >= endsAt
  if (current === 'in_progress' && endsAt <= now && !goesOn) say('completed', words.completed, endsAt)
  return { ...times, updates }
}
