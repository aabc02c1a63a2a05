import { Parser } from 'htmlparser2'
import { cut } from '../../text.ts'
import { isStyle, type LinkUse, STYLED_ATTRIBUTES, type Use, usesOf } from './elements.ts'
import { addressesOfSrcset } from './srcset.ts'
import { readStyle } from './style.ts'

/** Links of one page; more are counted and not looked at. */
export const MAX_LINKS_OF_PAGE = 5_000
export const MAX_LABEL_LENGTH = 120
/** Pages within attributes of pages (`srcdoc`). */
const MAX_NESTING = 3

/**
 * `label`: the text of a link, or the element and attribute. `href` as it was written. `isUpgraded`: the page asks for it
 * securely whatever is written, or a browser that runs scripts does not ask for it at all.
 */
export type PageLink = { href: string; use: LinkUse; label: string; isUpgraded: boolean }

export type ReadPage = {
  links: PageLink[]
  /** The address in `<base href>`; null: the address of the page. */
  base: string | null
  canonical: string | null
  title: string
  /** A meta element before the body says so; a header may as well. */
  upgradesInsecure: boolean
  /** Links beyond MAX_LINKS_OF_PAGE. */
  dropped: number
}

/** Elements that may precede the body without beginning it. */
const HEAD = new Set([
  'html',
  'head',
  'title',
  'base',
  'link',
  'meta',
  'script',
  'style',
  'noscript',
  'template',
])

/** Reads a page as a browser would, forgivingly, without running anything of it. */
export function readPage(html: string): ReadPage {
  const page = emptyPage()
  read(html, page, { nesting: 0, isUpgraded: false })
  page.title = cut(page.title.replace(/\s+/g, ' ').trim(), MAX_LABEL_LENGTH)
  return page
}

/** The addresses of a style sheet as those of a page. */
export function readStylePage(css: string): ReadPage {
  const page = emptyPage()
  for (const link of readStyle(css)) add(page, { ...link, isUpgraded: false })
  return page
}

export function emptyPage(): ReadPage {
  return { links: [], base: null, canonical: null, title: '', upgradesInsecure: false, dropped: 0 }
}

function add(page: ReadPage, link: PageLink): PageLink | null {
  if (link.href.trim() === '' && link.use !== 'leads') return null
  if (page.links.length >= MAX_LINKS_OF_PAGE) {
    page.dropped++
    return null
  }
  page.links.push(link)
  return link
}

function read(
  html: string,
  page: ReadPage,
  { nesting, isUpgraded }: { nesting: number; isUpgraded: boolean },
) {
  const isOutermost = nesting === 0
  let open: { link: PageLink; text: string } | null = null
  let inTitle = false
  let inHead = true
  let style: string | null = null
  let inScript = false
  /** Elements of these names that are open. Content of a template is not there before a script takes it out. */
  const inside = { template: 0, noscript: 0, picture: 0 }
  const isCounted = (name: string): name is keyof typeof inside => Object.hasOwn(inside, name)

  function take({ value, use, label, form }: Use): PageLink | null {
    const addresses =
      form === 'candidates' ? addressesOfSrcset(value) : form === 'list' ? value.split(/\s+/) : [value]
    let last: PageLink | null = null
    for (const href of addresses)
      last = add(page, { href, use, label, isUpgraded: isUpgraded || inside.noscript > 0 })
    return last
  }

  function takeStyle(css: string, label: string): void {
    for (const { href, use: how, label: where } of readStyle(css))
      take({ value: href, use: how, label: `${label} ${where}`, form: 'one' })
  }

  function readMeta(attributes: Record<string, string>): void {
    const { content = '' } = attributes
    const directive = attributes['http-equiv']?.trim().toLowerCase()
    // Elsewhere it counts for nothing, and it counts for what follows it.
    if (directive === 'content-security-policy' && inHead) isUpgraded ||= upgradesInsecure(content)
    if (isOutermost) page.upgradesInsecure = isUpgraded
    const [, address] = (directive === 'refresh' && REFRESH.exec(content)) || []
    if (address)
      take({ value: unquoted(address), use: 'leads', label: '<meta http-equiv=refresh>', form: 'one' })
  }

  const parser = new Parser(
    {
      onopentag(written, attributes) {
        // Names of SVG have capitals.
        const name = written.toLowerCase()
        if (!HEAD.has(name) && inside.noscript + inside.template === 0) inHead = false
        if (isCounted(name)) inside[name]++
        inScript = name === 'script'
        if (inside.template > 0) {
          // A shadow root is there from the start.
          if (name === 'template' && attributes.shadowrootmode !== undefined) inside.template--
          else return
        }
        if (name === 'title' && isOutermost) inTitle = page.title === ''
        if (name === 'base' && isOutermost && page.base === null) page.base = attributes.href ?? null
        if (name === 'meta') readMeta(attributes)
        if (name === 'style' && isStyle(attributes)) style = ''
        if (name === 'link' && isOutermost && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? ''))
          page.canonical ??= attributes.href ?? null
        for (const one of usesOf(name, attributes, inside.picture > 0)) {
          const link = take(one)
          if (link && name === 'a' && one.use === 'leads') open = { link, text: '' }
        }
        for (const attribute of STYLED_ATTRIBUTES) {
          const value = attributes[attribute]
          if (value?.includes('(')) takeStyle(value, `<${name} ${attribute}>`)
        }
        if (name === 'iframe' && attributes.srcdoc !== undefined && nesting < MAX_NESTING)
          read(attributes.srcdoc, page, {
            nesting: nesting + 1,
            isUpgraded: isUpgraded || inside.noscript > 0,
          })
        // An image says for a link what its text would say.
        if (name === 'img' && open && attributes.alt) open.text += ` ${attributes.alt}`
      },
      ontext(text) {
        if (style !== null) style += text
        else if (inTitle) page.title += page.title.length < MAX_LABEL_LENGTH ? text : ''
        else if (inHead && !inScript && inside.noscript + inside.template === 0 && text.trim() !== '')
          inHead = false
        if (open && open.text.length < MAX_LABEL_LENGTH * 2) open.text += text
      },
      onclosetag(name) {
        if (isCounted(name) && inside[name] > 0) inside[name]--
        inScript = false
        if (name === 'title') inTitle = false
        if (name === 'style' && style !== null) {
          const css = style
          style = null
          takeStyle(css, '<style>')
        }
        if (name !== 'a' || !open) return
        const text = open.text.replace(/\s+/g, ' ').trim()
        if (text !== '') open.link.label = cut(text, MAX_LABEL_LENGTH)
        open = null
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
}

/** Finds the address in `0; url=/next` (HTML, shared declarative refresh steps); a number alone loads the page again. */
const REFRESH = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(\S.*)$/is

/** The address ends at the quote that it begins with. */
function unquoted(address: string): string {
  const [quote] = address
  if (quote !== '"' && quote !== "'") return address
  const end = address.indexOf(quote, 1)
  return end < 0 ? address.slice(1) : address.slice(1, end)
}

/** Whether a Content-Security-Policy turns insecure addresses into secure ones. */
export function upgradesInsecure(policy: string): boolean {
  return /(?:^|[;,])\s*upgrade-insecure-requests\s*(?:[;,]|$)/i.test(policy)
}
