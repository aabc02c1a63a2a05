import { html, raw } from 'hono/html'
import { FACE } from '../look/face.ts'
import type { Html } from '../page.ts'
import { textPath } from './contents.ts'
import type { Heading } from './markdown.ts'
import { type DocsText, groupsOf } from './texts.ts'

/** Pages with fewer headings get no table of contents. */
const MIN_HEADINGS = 3

/** Data shared by all pages. */
export type DocsSite = {
  texts: DocsText[]
  docsPath: string
  docsUrl: string
  /** The version of the service that shows them. */
  version: string
  stylePath: string
  scriptPath: string
}

/** The page of one text. */
export function textPage(site: DocsSite, text: DocsText): Html {
  const { entry, group, title, rendered } = text
  const content = html`<p class="group">${group}</p>${raw(rendered.html)}${turnPages(site, text)}`
  return layout(site, {
    title,
    content,
    about: entry.about,
    current: entry.path,
    headings: rendered.sections.filter(({ depth }) => depth === 2 || depth === 3),
    markdown: site.docsPath + textPath(entry.path),
  })
}

type Parts = {
  title: string
  content: Html
  about: string
  /** The path of this page, if it shows a text. */
  current: string | null
  headings?: Heading[]
  /** The address of the text as Markdown. */
  markdown?: string
  query?: string
}

/** The frame around the content: one script and one style sheet of ours, nothing from elsewhere. */
export function layout(site: DocsSite, parts: Parts): Html {
  const { docsPath, docsUrl, version, stylePath, scriptPath } = site
  const { title, content, about, current, markdown, query = '' } = parts
  const headings = parts.headings ?? []
  const hasToc = headings.length >= MIN_HEADINGS
  const links = html`${
    current === null
      ? html`<meta name="robots" content="noindex">`
      : html`<link rel="canonical" href="${docsUrl}${current}">`
  }${markdown ? html`<link rel="alternate" type="text/markdown" href="${markdown}">` : ''}`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Upbeat</title>${raw(FACE.preload)}<meta name="description" content="${about}">
<script src="${scriptPath}"></script><link rel="stylesheet" href="${stylePath}"><link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="${docsPath}/changelog.atom">
${links}</head>
<body><a class="skip" href="#content">Skip to content</a>
<header><a class="brand" href="/"><img src="/icon.svg" alt="" width="26" height="26">Upbeat</a><a href="${docsPath || '/'}">Documentation</a><a class="version" href="${docsPath}/changelog">${version}</a>
<form role="search" action="${docsPath}/search"><input type="search" name="q" value="${query}" maxlength="100"
aria-label="Search the documentation" placeholder="Search"><button>Search</button></form></header>
<div class="frame"><nav class="pages side" aria-label="Pages">${pageList(site, current)}</nav>
<details class="menu of-pages"><summary>All pages</summary>
<nav class="pages" aria-label="Pages">${pageList(site, current)}</nav></details>
<main id="content" tabindex="-1">${hasToc ? html`<details class="menu of-page"><summary>On this page</summary><nav class="toc" aria-label="On this page">${tocList(headings)}</nav></details>` : ''}
${content}</main>
${hasToc ? html`<nav class="toc side" aria-label="On this page"><p>On this page</p>${tocList(headings)}</nav>` : ''}</div>
<footer>${markdown ? html`<a href="${markdown}">This page as Markdown</a>` : ''}<a href="${docsPath}/llms.txt">llms.txt</a>
<a href="${docsPath}/changelog.atom">Changelog feed</a></footer></body></html>`
}

function pageList({ texts, docsPath }: DocsSite, current: string | null): Html {
  // Pages of problems belong to the page that lists them.
  const marked = current?.startsWith('/problems/') ? '/problems' : current
  const link = ({ entry, title }: DocsText) =>
    html`<li><a href="${docsPath + entry.path || '/'}"${entry.path === marked ? raw(' aria-current="page"') : ''}>${title}</a></li>`
  return html`${groupsOf(texts).map(
    ([group, members]) => html`<p>${group}</p><ul>${members.map(link)}</ul>`,
  )}`
}

function tocList(headings: Heading[]): Html {
  return html`<ul>${headings.map(
    ({ depth, id, text }) =>
      html`<li${depth > 2 ? raw(' class="deeper"') : ''}><a href="#${id}">${text}</a></li>`,
  )}</ul>`
}

function turnPages({ texts, docsPath }: DocsSite, text: DocsText): Html {
  const listed = texts.filter(({ isListed }) => isListed)
  const at = listed.indexOf(text)
  const link = (to: DocsText | undefined, word: string, name: string) =>
    to
      ? html`<a class="${name}" rel="${name}" href="${docsPath + to.entry.path || '/'}"><small>${word}</small>${to.title}</a>`
      : ''
  if (at === -1) return html``
  return html`<nav class="turn" aria-label="Previous and next page">${link(listed[at - 1], 'Previous', 'prev')}${link(listed[at + 1], 'Next', 'next')}</nav>`
}
