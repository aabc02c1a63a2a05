/**
 * How a page uses an address. People follow what `leads`; a `form` is sent, and a `ping` is when a link is followed. Everything
 * else is loaded: `set` is an image among candidates, `data` what scripts or the browser itself read, and `kept` what
 * programs other than a browser's window load.
 */
export type LinkUse =
  | 'leads'
  | 'form'
  | 'ping'
  | 'frame'
  | 'style'
  | 'manifest'
  | 'script'
  | 'data'
  | 'image'
  | 'set'
  | 'media'
  | 'kept'

/** The fate in Chromium of an address over http on a page over https (test/long/browser/sites compares). */
export type Treatment = 'blocked' | 'upgraded' | 'warned'

export const TREATMENTS: Record<LinkUse, Treatment | null> = {
  leads: null,
  form: 'warned',
  ping: 'blocked',
  frame: 'blocked',
  style: 'blocked',
  manifest: 'blocked',
  script: 'blocked',
  data: 'blocked',
  image: 'upgraded',
  set: 'blocked',
  media: 'upgraded',
  kept: null,
}

/**
 * Every attribute that holds an address, by the index of attributes of the HTML standard, its obsolete ones that browsers
 * still load, and SVG 2. Not here: `cite` and `itemid`, which lead nowhere that people can click at.
 */
const ATTRIBUTES: Record<string, Record<string, LinkUse>> = {
  a: { href: 'leads', 'xlink:href': 'leads', ping: 'ping' },
  area: { href: 'leads', ping: 'ping' },
  audio: { src: 'media' },
  body: { background: 'image' },
  button: { formaction: 'form' },
  embed: { src: 'frame' },
  feimage: { href: 'image', 'xlink:href': 'image' },
  form: { action: 'form' },
  frame: { src: 'frame' },
  iframe: { src: 'frame' },
  image: { href: 'image', 'xlink:href': 'image' },
  img: { src: 'image', srcset: 'set' },
  input: { src: 'image', formaction: 'form' },
  object: { data: 'frame' },
  script: { src: 'script', href: 'script', 'xlink:href': 'script' },
  source: { src: 'media', srcset: 'set' },
  table: { background: 'image' },
  tbody: { background: 'image' },
  td: { background: 'image' },
  tfoot: { background: 'image' },
  th: { background: 'image' },
  thead: { background: 'image' },
  tr: { background: 'image' },
  track: { src: 'data' },
  use: { href: 'image', 'xlink:href': 'image' },
  video: { src: 'media', poster: 'image' },
}

/** Relations of `<link>`, by the HTML standard, and icons of others; those that only name a host, such as preconnect, are not here. */
const RELATIONS: Record<string, LinkUse> = {
  alternate: 'leads',
  author: 'leads',
  help: 'leads',
  license: 'leads',
  me: 'leads',
  next: 'leads',
  prev: 'leads',
  'privacy-policy': 'leads',
  search: 'leads',
  'terms-of-service': 'leads',
  stylesheet: 'style',
  modulepreload: 'script',
  manifest: 'manifest',
  prefetch: 'data',
  icon: 'image',
  'mask-icon': 'kept',
  'apple-touch-icon': 'kept',
  'apple-touch-icon-precomposed': 'kept',
}

/** Destinations that a preload may have; it is not loaded for others. */
const PRELOADS: Record<string, LinkUse> = {
  script: 'script',
  style: 'style',
  image: 'image',
  font: 'data',
  fetch: 'data',
  track: 'data',
}

/** Presentation attributes of SVG that hold CSS. */
export const STYLED_ATTRIBUTES = ['style', 'fill', 'stroke', 'filter', 'mask', 'clip-path', 'cursor']

const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i
const STYLE_TYPE = /^(?:|text\/css)$/i

type Attributes = Record<string, string>
/** `label`: the element and attribute. `value` as it was written, with as many addresses as `form` says. */
export type Use = { value: string; use: LinkUse; label: string; form: 'one' | 'candidates' | 'list' }

/** The addresses that an element uses. `isInSet`: whether it is in a `<picture>`. */
export function usesOf(name: string, attributes: Attributes, isInSet: boolean): Use[] {
  if (name === 'link') return usesOfRelation(attributes)
  const known = Object.hasOwn(ATTRIBUTES, name) ? (ATTRIBUTES[name] ?? {}) : {}
  return Object.entries(known).flatMap(([attribute, use]) => {
    const value = attributes[attribute]
    if (value === undefined || !isLoaded(name, attribute, attributes)) return []
    const isOfSet = name === 'img' && attribute === 'src' && (isInSet || attributes.srcset !== undefined)
    return [{ value, use: isOfSet ? 'set' : use, label: `<${name} ${attribute}>`, form: formOf(attribute) }]
  })
}

export function isStyle({ type = '' }: Attributes): boolean {
  return STYLE_TYPE.test(type.trim())
}

function formOf(attribute: string): Use['form'] {
  if (attribute === 'srcset' || attribute === 'imagesrcset') return 'candidates'
  return attribute === 'ping' ? 'list' : 'one'
}

function isLoaded(name: string, attribute: string, attributes: Attributes): boolean {
  const type = (attributes.type ?? '').trim()
  if (name === 'script') return SCRIPT_TYPE.test(type) && attributes.nomodule === undefined
  if (name === 'input' && attribute === 'src') return type.toLowerCase() === 'image'
  // An address in `data` is relative to `codebase`, which browsers do not know any more; with `classid` they load nothing.
  return name !== 'object' || attributes.classid === undefined
}

function usesOfRelation(attributes: Attributes): Use[] {
  const { rel = '', href, as = '', imagesrcset } = attributes
  const relations = new Set(rel.toLowerCase().split(/\s+/))
  return [...relations].flatMap((relation): Use[] => {
    if (relation === 'alternate' && relations.has('stylesheet')) return []
    const label = `<link rel=${relation}>`
    const preloaded = relation === 'preload' ? PRELOADS[as.toLowerCase()] : undefined
    if (preloaded === 'image' && imagesrcset !== undefined)
      return [{ value: imagesrcset, use: 'set', label, form: 'candidates' }]
    const use = preloaded ?? (Object.hasOwn(RELATIONS, relation) ? RELATIONS[relation] : undefined)
    if (!use || href === undefined || (relation === 'stylesheet' && !isStyle(attributes))) return []
    return [{ value: href, use, label, form: 'one' }]
  })
}
