import type { PageLanguage } from '../../core/language/page-languages.ts'
import type { PageModel } from '../../core/status-pages/page-model.ts'
import type { PageWords } from '../../core/status-pages/words/page-words.ts'
import { PAGE_WORDS } from '../../core/status-pages/words/words.ts'
import { type Saying, sayingOf } from './say.ts'

/** The reader and the place that a page is rendered for. */
export type ViewOptions = {
  language: PageLanguage
  /** The reader chose the language on the page: links keep it. */
  isChosen?: boolean
  /** The path before everything of the page, without a slash at the end: `/status/acme`, or '' on its own domain. */
  base: string
  /** The path before feeds and calendar, which differs where the page is private. */
  feedBase?: string
  /** The page may be old, because the records cannot be read at the moment. */
  isStale?: boolean
  /** The page is a copy on another host, which says of when it is. A page of ours is of now, however old its bytes are. */
  isCopy?: boolean
}

/** Everything that the parts of a page are written with. */
export type PageView = {
  model: PageModel
  options: ViewOptions
  words: PageWords
  say: Saying
  /** The address of something below the page; '' is the page itself. */
  link(path: string): string
}

export function viewOf(model: PageModel, options: ViewOptions): PageView {
  return { model, ...writingOf(options) }
}

/** A view of no page in particular, such as of the one that is not there. */
export function writingOf(options: ViewOptions): Omit<PageView, 'model'> {
  const { language, isChosen, base } = options
  const query = isChosen ? `?lang=${language}` : ''
  return {
    options,
    words: PAGE_WORDS[language],
    say: sayingOf(language),
    link: (path) => (base + path || '/') + query,
  }
}
