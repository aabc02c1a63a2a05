import { Parser } from 'htmlparser2'
import { cut } from '../../text.ts'

/** Links of one page; more are counted and not looked at. */
export const MAX_LINKS_OF_PAGE = 5_000
export const MAX_LABEL_LENGTH = 120

/**
 * How a page uses an address. `active`: browsers block it where it is insecure and the page is not; `passive`: they upgrade
 * it, or show it (https://www.w3.org/TR/mixed-content/). `link`: people follow it.
 */
export type LinkUse = 'link' | 'active' | 'passive' | 'form'

/** `label`: the text of a link, or the element and attribute. `href` as it was written. */
export type PageLink = { href: string; use: LinkUse; label: string }

export type ReadPage = {
  links: PageLink[]
  /** Of `<base href>`; null: the address of the page. */
  base: string | null
  canonical: string | null
  title: string
  /** By a meta element; a header may say so as well. */
  upgradesInsecure: boolean
  /** Links beyond MAX_LINKS_OF_PAGE. */
  dropped: number
}

/** Attributes that hold an address, by element. */
const ATTRIBUTES: Record<string, Record<string, LinkUse>> = {
  a: { href: 'link' },
  area: { href: 'link' },
  script: { src: 'active' },
  iframe: { src: 'active' },
  frame: { src: 'active' },
  embed: { src: 'active' },
  object: { data: 'active' },
  form: { action: 'form' },
  img: { src: 'passive', srcset: 'passive' },
  input: { src: 'passive' },
  source: { src: 'passive', srcset: 'passive' },
  video: { src: 'passive', poster: 'passive' },
  audio: { src: 'passive' },
  track: { src: 'passive' },
  image: { href: 'passive', 'xlink:href': 'passive' },
}

/** Relations of `<link>` that browsers load, or that lead somewhere; others, such as preconnect, hold no page. */
const RELATIONS: Record<string, LinkUse> = {
  stylesheet: 'active',
  modulepreload: 'active',
  manifest: 'active',
  icon: 'passive',
  'apple-touch-icon': 'passive',
  preload: 'passive',
  alternate: 'link',
  next: 'link',
  prev: 'link',
}

/** Reads a page as a browser would, forgivingly, without running anything of it. */
export function readPage(html: string): ReadPage {
  const page: ReadPage = {
    links: [],
    base: null,
    canonical: null,
    title: '',
    upgradesInsecure: false,
    dropped: 0,
  }
  let open: { link: PageLink; text: string } | null = null
  let inTitle = false

  function add(href: string, use: LinkUse, label: string): PageLink | null {
    if (href.trim() === '' && use !== 'link') return null
    if (page.links.length >= MAX_LINKS_OF_PAGE) {
      page.dropped++
      return null
    }
    const link = { href, use, label }
    page.links.push(link)
    return link
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'title') inTitle = page.title === ''
        if (name === 'base' && page.base === null) page.base = attributes.href ?? null
        if (name === 'meta') readMeta(attributes, page)
        if (name === 'link') return readRelation(attributes, page, add)
        for (const [attribute, use] of Object.entries(ATTRIBUTES[name] ?? {})) {
          const value = attributes[attribute]
          if (value === undefined) continue
          const label = `<${name} ${attribute}>`
          if (attribute === 'srcset') for (const href of addressesOfSrcset(value)) add(href, use, label)
          else {
            const link = add(value, use, label)
            if (link && name === 'a') open = { link, text: '' }
          }
        }
        // An image says for a link what its text would say.
        if (name === 'img' && open && attributes.alt) open.text += ` ${attributes.alt}`
      },
      ontext(text) {
        if (open && open.text.length < MAX_LABEL_LENGTH * 2) open.text += text
        if (inTitle && page.title.length < MAX_LABEL_LENGTH) page.title += text
      },
      onclosetag(name) {
        if (name === 'title') inTitle = false
        if (name !== 'a' || !open) return
        const text = open.text.replace(/\s+/g, ' ').trim()
        if (text !== '') open.link.label = cut(text, MAX_LABEL_LENGTH)
        open = null
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  page.title = cut(page.title.replace(/\s+/g, ' ').trim(), MAX_LABEL_LENGTH)
  return page
}

function readMeta(attributes: Record<string, string>, page: ReadPage): void {
  const { content = '' } = attributes
  if (attributes['http-equiv']?.toLowerCase() === 'content-security-policy')
    page.upgradesInsecure ||= upgradesInsecure(content)
}

/** Whether a Content-Security-Policy turns insecure addresses into secure ones. */
export function upgradesInsecure(policy: string): boolean {
  return /(?:^|[;,])\s*upgrade-insecure-requests\s*(?:[;,]|$)/i.test(policy)
}

function readRelation(
  { rel = '', href }: Record<string, string>,
  page: ReadPage,
  add: (href: string, use: LinkUse, label: string) => unknown,
): void {
  if (href === undefined) return
  const relations = rel.toLowerCase().split(/\s+/)
  if (relations.includes('canonical')) page.canonical ??= href
  const known = relations.find((relation) => Object.hasOwn(RELATIONS, relation))
  const use = known && RELATIONS[known]
  if (use) add(href, use, `<link rel=${known}>`)
}

/** The addresses of candidates: each ends at white space, or at a comma that white space follows (HTML, srcset attributes). */
function addressesOfSrcset(srcset: string): string[] {
  const addresses: string[] = []
  const candidate = /[\s,]*(\S+)([^,]*)/g
  for (let found = candidate.exec(srcset); found; found = candidate.exec(srcset)) {
    const [, address = ''] = found
    if (address === '') break
    // A comma at its end means that no descriptor follows: the next candidate begins behind it.
    const bare = address.replace(/,+$/, '')
    if (bare !== address) candidate.lastIndex = found.index + found[0].indexOf(address) + address.length
    if (bare !== '') addresses.push(bare)
    if (addresses.length >= 50) break
  }
  return addresses
}
