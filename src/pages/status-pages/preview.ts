import { html } from 'hono/html'
import { pageLanguage } from '../../core/status-pages/page-language.ts'
import type { PageModel } from '../../core/status-pages/page-model.ts'
import { PAGES_PATH } from '../../core/status-pages/serving/page-route.ts'
import type { PagePreview } from '../../core/status-pages/shown-page.ts'
import { SHAPES } from './icons.ts'
import { styleOf } from './look.ts'
import { contentOf } from './status-page.ts'
import { viewOf } from './view.ts'

/** The page in parts, for the dashboard, whose policy allows no style sheet within a document. */
export function renderPreview(model: PageModel): PagePreview {
  const { settings } = model
  const language = pageLanguage(settings.language, undefined, undefined)
  const view = viewOf(model, { language, base: `${PAGES_PATH}/${settings.slug}` })
  return { language, style: styleOf(settings), html: String(html`${SHAPES}${contentOf(view)}`) }
}
