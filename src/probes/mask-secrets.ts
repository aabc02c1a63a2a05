import { MAX_VALUE_LENGTH } from '../core/expectations/words.ts'
import { readProxy } from '../core/monitors/options/proxy-address.ts'
import { bytesToSend } from '../core/monitors/options/send.ts'
import { MASK, secretsOfQuery } from '../core/teams/access.ts'
import { basicCredentials, type WebSettings } from './hop.ts'

/** Request headers whose values every client sends: no secrets, and part of many an answer. */
const WELL_KNOWN = /^(accept(-.*)?|content-type|cache-control|pragma)$/i
/** A shorter part of a value, such as the scheme of `Authorization`, tells nothing and occurs anywhere. */
const MIN_PART_LENGTH = 8
/** A shorter secret is masked only where it stands alone: it is part of too many words. */
const MIN_LENGTH_WITHIN_WORDS = 4

/** A body of many parts: each costs what looks for secrets in an answer. */
const MAX_PARTS_OF_BODY = 500

/** A type that sends no request has no headers. */
type MaskedSettings = Pick<WebSettings, 'url' | 'options'> &
  Partial<Pick<WebSettings, 'username' | 'password' | 'request_headers'>>

/** Replaces the secrets of a monitor wherever an answer repeats them. */
export type SecretMask = {
  apply(text: string): string
  /** The end of a text that was cut off: what may be the first part of a secret is left out with it. */
  applyToBeginning(text: string): string
  /** The longest form of a secret: so much more is to be read that none is cut in two. In UTF-16 units. */
  readonly reach: number
}

/** Knows the secrets as they are, and as JSON, HTML, URLs and basic authentication write them. */
export function maskOf({
  settings,
  secrets,
}: {
  settings: MaskedSettings
  secrets: readonly string[]
}): SecretMask {
  const forms = [...new Set([...secretsOf(settings), ...secrets].flatMap(formsOf))]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
  if (forms.length === 0) return { apply: asItIs, applyToBeginning: asItIs, reach: 0 }
  const { inPattern, whole } = shared(forms)
  const pattern = patternOf(inPattern)
  const reach = forms[0]?.length ?? 0
  const apply = (text: string) =>
    whole.reduce((masked, form) => masked.replaceAll(form, MASK), text).replace(pattern, MASK)
  return {
    apply,
    applyToBeginning(text) {
      let end = Math.max(0, text.length - reach)
      for (const form of whole)
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
          end = Math.max(end, at + form.length)
      for (const { index, 0: secret } of text.matchAll(pattern)) end = Math.max(end, index + secret.length)
      return apply(text.slice(0, end))
    },
    reach,
  }
}

/** More a regular expression cannot hold. In UTF-16 units, of all forms in it. */
const MAX_PATTERN_LENGTH = 20_000

/** The forms that one pattern finds, whatever their case, and the longest, which are looked for as they are. */
function shared(forms: readonly string[]): { inPattern: string[]; whole: string[] } {
  let length = 0
  let first = forms.length
  while (first > 0 && length <= MAX_PATTERN_LENGTH) length += forms[--first]?.length ?? 0
  if (length > MAX_PATTERN_LENGTH) first++
  return { inPattern: forms.slice(first), whole: forms.slice(0, first) }
}

const asItIs = (text: string) => text

/** Secrets of a monitor that its check sends, and parts of them that an answer may repeat alone. */
export function secretsOf({ url, username, password, request_headers, options }: MaskedSettings): string[] {
  const values = Object.entries(request_headers ?? {})
    .filter(([name]) => !WELL_KNOWN.test(name))
    .flatMap(([, value]) => [
      value,
      ...value.split(/[\s;,=]+/).filter((part) => part.length >= MIN_PART_LENGTH),
    ])
  const ofPassword = password ? secretsOfUser(username ?? '', password) : []
  const auth = options?.auth
  const ofAuth = auth?.type === 'bearer' ? [auth.token] : auth?.type === 'oauth2' ? [auth.client_secret] : []
  const proxied = readProxy(options?.proxy ?? '')?.user
  const ofProxy = proxied?.password ? secretsOfUser(proxied.name, proxied.password) : []
  const ofBody = partsOfBody(options?.request_body ?? '')
  const ofCall = partsOfBody(options?.request ?? '')
  const ofMessage = partsOfBody(options?.publish ?? '')
  const send = options?.send ?? ''
  const ofSend = partsOfBody(send === '' ? '' : Buffer.from(bytesToSend(send)).toString())
  const ofQuery = textsOfQuery(options?.query ?? '')
  return [
    ...ofPassword,
    ...values,
    ...ofAuth,
    ...ofProxy,
    ...ofBody,
    ...ofCall,
    ...ofMessage,
    ...ofSend,
    ...ofQuery,
    ...secretsOfQuery(url),
  ].map((secret) => secret.trim())
}

function secretsOfUser(name: string, password: string): string[] {
  return [password, basicCredentials(name, password)]
}

/**
 * The lines of a body and the texts in it, as JSON and forms have them: an answer may repeat one of them alone, and a cause the beginning
 * of one.
 */
function partsOfBody(body: string): string[] {
  if (body === '') return []
  const parts = new Set([...body.split(/[\r\n]+/), ...textsIn(body)].map((part) => part.trim()))
  const longest = [...parts]
    .filter((part) => part.length >= MIN_PART_LENGTH)
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_PARTS_OF_BODY)
  const cut = longest.filter((part) => part.length > MAX_VALUE_LENGTH)
  return [...longest, ...cut.map((part) => part.slice(0, MAX_VALUE_LENGTH))]
}

/** The lines of a question to a database and the texts in quotes in it. Its words are in half of what a database says. */
function textsOfQuery(query: string): string[] {
  const quoted = Array.from(query.matchAll(/'([^']*)'|"([^"]*)"/g), ([, one, other]) => one ?? other ?? '')
  return [...query.split(/[\r\n]+/), ...quoted]
    .filter((part) => part.trim().length >= MIN_PART_LENGTH)
    .slice(0, MAX_PARTS_OF_BODY)
}

function textsIn(body: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(body, (_, value) => typeof value === 'string' && found.push(value))
    return found
  } catch {
    return [...new URLSearchParams(body).values()]
  }
}

function formsOf(secret: string): string[] {
  const text = secret.toWellFormed()
  const html = text.replace(/[&<>"']/g, (character) => HTML[character] ?? character)
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  return [text, JSON.stringify(text).slice(1, -1), html, encodeURIComponent(text), form]
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Finds all forms, of which the longest come first. All that stand alone share one look around: classes of Unicode take
 * milliseconds to compile, each, for each check, and with the flag `u` a multiple of that.
 */
function patternOf(forms: readonly string[]): RegExp {
  const isShort = (form: string) => form.length < MIN_LENGTH_WITHIN_WORDS
  const literals = forms.filter((form) => !isShort(form)).map(RegExp.escape)
  const alone = forms.filter(isShort).map(RegExp.escape)
  if (alone.length > 0) literals.push(`(?<![\\p{L}\\p{N}])(?:${alone.join('|')})(?![\\p{L}\\p{N}])`)
  return new RegExp(literals.join('|'), 'giv')
}
