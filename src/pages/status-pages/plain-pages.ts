import { html } from 'hono/html'
import type { PageLanguage } from '../../core/language/page-languages.ts'
import { plainDocument } from './frame.ts'
import { type ViewOptions, writingOf } from './view.ts'

/**
 * The page for everything that is not there or not to be seen: it depends on nothing but the reader's language, so that
 * it does not tell one from the other.
 */
export function renderNotFound(language: PageLanguage): string {
  const writing = writingOf({ language, base: '' })
  const { title, text } = writing.words.notFound
  return plainDocument(writing, { title, text: html`<p>${text}</p>` })
}

/** The page for what cannot be read at the moment. The page that it leads to is kept, and so is there. */
export function renderUnavailable(options: ViewOptions): string {
  const writing = writingOf(options)
  const { posts, unavailable } = writing.words
  const text = html`<p>${unavailable.text}</p><p><a href="${writing.link('')}">${posts.back}</a></p>`
  return plainDocument(writing, { title: unavailable.title, text })
}

export type PasswordFault = 'wrong' | 'tooMany'

/** Asks for the password of a page, and tells nothing of it: neither its name nor its state. */
export function renderPasswordForm(options: ViewOptions, fault: PasswordFault | null): string {
  const writing = writingOf(options)
  const { signIn } = writing.words
  const invalid = fault === null ? '' : html` aria-invalid="true" aria-describedby="fault"`
  const text = html`<p>${signIn.intro}</p><form method="post" action="${writing.link('/sign-in')}"><label for="password">${signIn.password}</label>
<input class="field" id="password" name="password" type="password" autocomplete="current-password" required${invalid}>
${fault === null ? '' : html`<p class="fault" id="fault" role="alert">${signIn[fault]}</p>`}<button>${signIn.button}</button></form>`
  return plainDocument(writing, { title: signIn.title, text })
}
