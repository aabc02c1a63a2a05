import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { ownFile } from '../../files/own-files.ts'
import { CONTENTS, type DocsEntry, PROBLEM_PAGES, textPath } from './contents.ts'
import type { DocsFacts } from './facts.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'

/** The address used in the files; readers of a running service see its own. */
const EXAMPLE_SITE = 'https://upbeat.example.com'
const EXAMPLE_DOCS = `${EXAMPLE_SITE}/docs`

/** A page of the documentation. */
export type DocsText = {
  entry: DocsEntry
  group: string
  /** False for the page of a problem: the page of all statuses links there, the navigation does not. */
  isListed: boolean
  title: string
  /** Programs read it: links are absolute and lead to other Markdown texts. */
  markdown: string
  rendered: Rendered
}

/** Loads and renders every text; links between pages start with `docsPath`. */
export async function loadDocs(facts: DocsFacts, docsPath: string): Promise<DocsText[]> {
  const listed = CONTENTS.flatMap(({ group, entries }) =>
    entries.map((entry) => ({ entry, group, isListed: true })),
  )
  const problems = PROBLEM_PAGES.map((entry) => ({ entry, group: 'API', isListed: false }))
  const pages = [...listed, ...problems]
  const pathOfFile = new Map(pages.map(({ entry }) => [entry.file, entry.path]))
  return Promise.all(
    pages.map(async (page) => {
      const source = await textOf(page.entry, facts)
      const { file } = page.entry
      const title = /^# (.+)$/m.exec(source)?.[1] ?? file
      const rendered = renderMarkdown(source, resolver(file, pathOfFile, docsPath, ''))
      return { ...page, title, markdown: withLinks(source, file, pathOfFile, facts.docsUrl), rendered }
    }),
  )
}

/** The pages of the navigation by group, in reading order. */
export function groupsOf(texts: DocsText[]): [group: string, texts: DocsText[]][] {
  return [
    ...Map.groupBy(
      texts.filter(({ isListed }) => isListed),
      ({ group }) => group,
    ),
  ]
}

async function textOf({ file, generate }: DocsEntry, facts: DocsFacts): Promise<string> {
  const text = generate ? generate(facts) : await readFile(ownFile(file), 'utf8')
  return text.replaceAll(EXAMPLE_DOCS, facts.docsUrl).replaceAll(EXAMPLE_SITE, facts.siteUrl)
}

/** Maps a link in a file to its place on the site: pages by their path, images beside the first page. */
function resolver(file: string, pathOfFile: Map<string, string>, base: string, suffix: string) {
  return (href: string): string => {
    const [target = '', anchor] = href.split('#')
    if (target === '' || /^[a-z]+:/.test(target)) return href
    const named = posix.join(posix.dirname(file), target)
    const path = pathOfFile.get(named)
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (path !== undefined) return `${base}${suffix ? textPath(path) : path || '/'}${hash}`
    return `${base}/${posix.relative('docs', named)}${hash}`
  }
}

function withLinks(markdown: string, file: string, pathOfFile: Map<string, string>, docsUrl: string): string {
  const resolve = resolver(file, pathOfFile, docsUrl, '.md')
  return markdown
    .replaceAll(/\]\((?!#)([^()\s]+)\)/g, (_, href: string) => `](${resolve(href)})`)
    .replaceAll(/^(#+ .*) \{#[\w-]+\}$/gm, '$1')
}
