import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import { baseUrl, type Services } from '../../operations/services.ts'
import { FACE, packed, TOKENS } from '../look/face.ts'
import { createStaticFile, type StaticFile, sendFile } from '../static-file.ts'
import { CONTENTS, PROBLEM_PAGES } from './contents.ts'
import type { DocsFacts } from './facts.ts'
import { changelogFeed } from './feed.ts'
import { type DocsSite, textPage } from './layout.ts'
import { llmsText, robotsText, sitemap } from './llms.ts'
import { searchPage } from './search.ts'
import { createSearch, type SearchAnswer } from './search-index.ts'
import { type DocsText, loadDocs, textPath } from './texts.ts'

const ROOT = join(import.meta.dirname, '../../..')
const IMAGES = join(ROOT, 'docs/images')
const STYLE = join(import.meta.dirname, 'docs.css')
const SCRIPT = join(import.meta.dirname, 'docs.js')

/** Only files of ours, nothing inline and nothing from elsewhere. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

type Facts = Pick<Services, 'siteUrl' | 'docsUrl' | 'apiVersion'>
type Kept = { site: DocsSite; files: Map<string, StaticFile> }

/**
 * The documentation, below `docsPath`: its pages, also as Markdown; a page at the address of each problem `type`;
 * search, the changelog feed, and files for crawlers. The texts do not change while the service runs, so the first
 * request renders them once.
 */
export async function addDocs(app: Hono, docsPath: string, services: Facts): Promise<void> {
  const { siteUrl, docsUrl, apiVersion: version } = services
  const facts: DocsFacts = { siteUrl, docsUrl, baseUrl: baseUrl(services), version }
  const pictures = (await readdir(IMAGES)).filter((name) => name.endsWith('.png'))
  let keeping: Promise<Kept> | null = null
  const kept = () => {
    keeping ??= keepAll(docsPath, facts, pictures).catch((error) => {
      keeping = null
      throw error
    })
    return keeping
  }
  const entries = [...CONTENTS.flatMap((part) => part.entries), ...PROBLEM_PAGES]
  const paths = [
    ...entries.flatMap(({ path }) => [path, textPath(path)]),
    ...pictures.map((name) => `/images/${name}`),
    ...['/style.css', '/script.js', '/changelog.atom', '/llms.txt', '/sitemap.xml'],
  ]
  const serve = async (context: Context, path: string) => {
    const { files } = await kept()
    return sendFile(context, files.get(path) as StaticFile, HEADERS)
  }
  for (const path of paths) app.get(docsPath + path || '/', (context) => serve(context, path))
  if (docsPath !== '') app.get('/llms.txt', (context) => serve(context, '/llms.txt'))
  app.get('/robots.txt', (context) => context.text(robotsText(facts.docsUrl)))
  let search: ((query: string) => SearchAnswer) | undefined
  app.get(`${docsPath}/search`, async (context) => {
    const { site } = await kept()
    // The first search makes the index: most processes never search.
    search ??= createSearch(site.texts)
    const { status, page } = searchPage(site, search, context.req.query('q') ?? '')
    return context.html(await page, status, HEADERS)
  })
}

async function keepAll(docsPath: string, facts: DocsFacts, pictures: string[]): Promise<Kept> {
  const texts = await loadDocs(facts, docsPath)
  const sheet = packed(`${FACE.rules}${TOKENS}${await readFile(STYLE, 'utf8')}`)
  const style = createStaticFile(sheet, 'text/css; charset=utf-8')
  const script = createStaticFile(await readFile(SCRIPT), 'text/javascript; charset=utf-8')
  const versioned = (name: string, { etag }: StaticFile) => `${docsPath}/${name}?v=${etag.slice(1, -1)}`
  const site = {
    texts,
    docsPath,
    docsUrl: facts.docsUrl,
    version: facts.version,
    stylePath: versioned('style.css', style),
    scriptPath: versioned('script.js', script),
  }
  const files = new Map<string, StaticFile>([
    ['/style.css', style],
    ['/script.js', script],
  ])
  for (const text of texts) {
    files.set(text.entry.path, createStaticFile(String(await textPage(site, text)), HTML))
    files.set(textPath(text.entry.path), createStaticFile(text.markdown, MARKDOWN))
  }
  for (const name of pictures) {
    files.set(`/images/${name}`, createStaticFile(await readFile(join(IMAGES, name)), 'image/png'))
  }
  const changelog = texts.find(({ entry }) => entry.path === '/changelog') as DocsText
  const feed = changelogFeed(changelog.markdown, facts.docsUrl)
  files.set('/changelog.atom', createStaticFile(feed, 'application/atom+xml; charset=utf-8'))
  files.set('/llms.txt', createStaticFile(llmsText(texts, facts), PLAIN))
  files.set('/sitemap.xml', createStaticFile(sitemap(texts, facts.docsUrl), 'application/xml; charset=utf-8'))
  return { site, files }
}
