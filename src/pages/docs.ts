import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { marked } from 'marked'
import { PAGE_HEADERS, page } from './page.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Every page there is: its path below the documentation's address, its title and its text. */
const PAGES = {
  '': { title: 'Documentation', file: 'docs/index.md' },
  '/dashboard': { title: 'The dashboard', file: 'docs/dashboard.md' },
  '/openapi': { title: 'The API as OpenAPI', file: 'docs/openapi.md' },
  '/failures': { title: 'What a check makes of failures', file: 'docs/failures.md' },
  '/badges': { title: 'Badges', file: 'docs/badges.md' },
  '/people': { title: 'Teams and people', file: 'docs/people.md' },
  '/benchmarks': { title: 'Benchmarks', file: 'docs/benchmarks.md' },
  '/changelog': { title: 'Changelog', file: 'CHANGELOG.md' },
  '/problems/monitor-limit-reached': {
    title: 'Monitor limit reached',
    file: 'docs/problems/monitor-limit-reached.md',
  },
  '/problems/validation-failed': { title: 'Validation failed', file: 'docs/problems/validation-failed.md' },
} as const satisfies Record<string, { title: string; file: string }>

/** The documentation, and one page at exactly each problem `type`. The texts are the project's own. */
export function addDocs(app: Hono, docsPath: string): void {
  for (const [path, { title, file }] of Object.entries(PAGES)) {
    app.get(`${docsPath}${path}` || '/', async (context) => {
      const content = await marked.parse(await readFile(join(ROOT, file), 'utf8'))
      // Links between the files work where the files are read; here they lead to the pages.
      const linked = content.replaceAll(/href="([\w/-]+)\.md"/g, `href="${docsPath}/$1"`)
      return context.html(await page(title, docsPath, html`${raw(linked)}`), 200, PAGE_HEADERS)
    })
  }
}
