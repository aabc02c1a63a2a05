import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../escape-html.ts'
import { readCode } from './highlight.ts'

export type Heading = { depth: number; id: string; text: string }

/** The part of a page below one heading, for search. */
export type Section = Heading & { content: string }

export type Rendered = { html: string; sections: Section[] }

/** Headings up to this depth start a section. */
const SECTION_DEPTH = 3
/** Sets an anchor that does not derive from the heading: `## Create a monitor {#createMonitor}`. */
const OWN_ID = / \{#([\w-]+)\}$/

const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  yaml: 'YAML',
  ini: 'INI',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  nginx: 'nginx',
  caddy: 'Caddyfile',
  haproxy: 'HAProxy',
  cron: 'crontab',
  promql: 'PromQL',
  toml: 'TOML',
  http: 'HTTP',
  sql: 'SQL',
  powershell: 'PowerShell',
}

/** Renders one of our texts. `resolve` maps links written for readers of the files to the site's addresses. */
export function renderMarkdown(markdown: string, resolve: (href: string) => string): Rendered {
  const headings = new Map<Token, Heading>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { id } = headings.get(token) as Heading
        const inner = this.parser.parseInline(token.tokens).replace(OWN_ID, '')
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`
        return `<h${token.depth} id="${id}">${inner}${token.depth > 1 ? anchor : ''}</h${token.depth}>\n`
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      table(token) {
        const heads = token.header.map(({ text }) => plainText(text)).filter(Boolean)
        const label = escapeHtml(`Table: ${heads.join(', ')}`)
        // The standard table in a box that can be scrolled by keyboard.
        const table = Renderer.prototype.table.call(this, token)
        return `<div class="scroll" role="group" tabindex="0" aria-label="${label}">${table}</div>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }) =>
        `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}" loading="lazy">`,
    },
  })
  const tokens = marked.lexer(markdown)
  nameHeadings(tokens, headings)
  const parts = splitAtHeadings(tokens).map((part) => {
    const html = marked.parser(part as Token[])
    const heading = headings.get(part[0] as Token) ?? { depth: 1, id: '', text: '' }
    return { html, heading, content: textOf(html.replace(/^<h\d.*<\/h\d>/, '')) }
  })
  return {
    html: parts.map(({ html }) => html).join(''),
    sections: parts.map(({ heading, content }) => ({ ...heading, content })),
  }
}

/** Uses the same ids as GitHub, so that anchors work wherever the text is read. */
function nameHeadings(tokens: Token[], headings: Map<Token, Heading>): void {
  const taken = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const { depth, text: raw } = token as Tokens.Heading
    const own = OWN_ID.exec(raw)?.[1]
    const text = plainText(raw.replace(OWN_ID, ''))
    const slug = own ?? slugOf(text)
    const times = taken.get(slug) ?? 0
    taken.set(slug, times + 1)
    headings.set(token, { depth, id: times === 0 ? slug : `${slug}-${times}`, text })
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function splitAtHeadings(tokens: Token[]): Token[][] {
  const parts: Token[][] = []
  for (const token of tokens) {
    const begins = token.type === 'heading' && (token as Tokens.Heading).depth <= SECTION_DEPTH
    if (begins || parts.length === 0) parts.push([])
    parts.at(-1)?.push(token)
  }
  return parts
}

function codeBlock(text: string, lang: string): string {
  const name = LANGUAGES[lang]
  const caption = name ? `<figcaption>${name}</figcaption>` : ''
  const label = name ? `${name} code` : 'Code'
  const kind = name ? ` of-${lang}` : ''
  return `<figure class="code${kind}">${caption}<pre tabindex="0" role="group" aria-label="${label}"><code>${colored(text, lang)}</code></pre></figure>\n`
}

/** Code whose words have a class by their kind, where its language is known. */
function colored(code: string, lang: string): string {
  let html = ''
  const isKnown = readCode(code, lang, (text, kind) => {
    const escaped = escapeHtml(text)
    html += kind && text !== '' ? `<span class="c-${kind}">${escaped}</span>` : escaped
  })
  return isKnown ? html : escapeHtml(code)
}

/** A heading or a cell without its Markdown. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function textOf(html: string): string {
  return (
    html
      .replaceAll(/<a class="anchor".*?<\/a>|<figcaption>.*?<\/figcaption>/g, '')
      // A word of code stays whole.
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&(#?\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
