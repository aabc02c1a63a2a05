import type { PageLanguage } from '../../language/page-languages.ts'
import { escapeXml } from '../../xml.ts'
import type { PageModel, PagePost, PagePostUpdate } from '../page-model.ts'
import type { PageWords } from '../words/page-words.ts'
import { PAGE_WORDS } from '../words/words.ts'
import { firstLines } from './room.ts'

/** The newest ones of a page. */
export const MAX_FEED_ENTRIES = 50

/** The news of a page in the form that every feed is written from. */
export type Feed = {
  id: string
  title: string
  description: string
  language: PageLanguage
  /** The address of the page. */
  url: string
  /** The address that feeds stand below: of the page, or of its secret for readers. */
  base: string
  /** The time of the newest entry, so that a feed changes with its entries only. */
  updatedAt: Date
  entries: FeedEntry[]
}

/** One update of a post: a program that tells a chat of new entries tells of every update. */
export type FeedEntry = {
  id: string
  url: string
  title: string
  /** HTML. */
  content: string
  category: string
  publishedAt: Date
  changedAt: Date
}

/** The HTML of a post's Markdown, the same as on the page. */
export type RenderBody = (markdown: string) => string

export function feedOf(model: PageModel, renderBody: RenderBody, base = model.url): Feed {
  const { settings, createdAt, id } = model
  const language = languageOf(model)
  const words = PAGE_WORDS[language]
  const entries = [...model.active, ...model.recent]
    .flatMap((post) => post.updates.map((update) => ({ post, update })))
    .sort((one, other) => newestFirst(one.update, other.update))
    .slice(0, MAX_FEED_ENTRIES)
    .map(({ post, update }) => entryOf({ model, words, renderBody }, post, update))
  return {
    id: newsId(createdAt, 'page', id),
    title: words.page.title(settings.name),
    description: settings.description || words.page.title(settings.name),
    language,
    url: model.url,
    base,
    updatedAt: entries[0]?.changedAt ?? createdAt,
    entries,
  }
}

/** Documents have one language, whoever reads them. */
export function languageOf({ settings }: PageModel): PageLanguage {
  return settings.language === 'auto' ? 'en' : settings.language
}

/** A time as documents for programs say it to people: `2026-11-24 02:00 UTC`. */
function utcTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function newestFirst(one: PagePostUpdate, other: PagePostUpdate): number {
  return other.at.getTime() - one.at.getTime() || other.id - one.id
}

type Writing = { model: PageModel; words: PageWords; renderBody: RenderBody }

function entryOf({ model, words, renderBody }: Writing, post: PagePost, update: PagePostUpdate): FeedEntry {
  const { id, kind, title, scheduledFor, scheduledUntil } = post
  const lines = update.impacts.map(({ name, state }) => `${name}: ${words.states[state]}`)
  if (kind === 'maintenance' && scheduledFor && scheduledUntil) {
    lines.unshift(words.posts.from(utcTime(scheduledFor), utcTime(scheduledUntil)))
  }
  if (kind === 'incident' && post.components.length === 0) lines.push(words.posts.affectsNone)
  const list = firstLines(lines)
    .map((line) => `<li>${escapeXml(line)}</li>`)
    .join('')
  return {
    id: newsId(model.createdAt, 'update', update.id),
    url: `${model.url}/posts/${id}`,
    title: `${title} – ${words.phases[update.phase]}`,
    content: `${renderBody(update.body)}${list === '' ? '' : `<ul>${list}</ul>`}`,
    category: kind,
    publishedAt: update.at,
    changedAt: update.at,
  }
}

const NEWS_KINDS = { page: '001', update: '002' } as const

/**
 * An id that stays the same whatever the page's address becomes, and is no other's in the world: a UUID of version 8
 * (RFC 9562) of the instant at which the page was created and of the record's id.
 */
function newsId(createdAt: Date, kind: keyof typeof NEWS_KINDS, id: number): string {
  const time = createdAt.getTime().toString(16).padStart(12, '0')
  const record = id.toString(16).padStart(15, '0')
  return `urn:uuid:${time.slice(0, 8)}-${time.slice(8)}-8${NEWS_KINDS[kind]}-8${record.slice(0, 3)}-${record.slice(3)}`
}
