import { said } from '../../core/language/said.ts'
import { HttpMethod } from '../../core/monitors/options/request.ts'
import { referencesIn, secretNamed } from '../../core/monitors/steps/template.ts'
import { ANOTHER_HOST, namesAnotherHost } from '../draft-monitor.ts'
import { type Fields, isFields, recordsOf, textOf } from '../fields.ts'
import { withTypeOfBody } from '../options/request.ts'
import {
  createSecrets,
  filled,
  type Scope,
  type Secrets,
  UnfitRequest,
  variablesOf,
  writtenOf,
} from './variables.ts'

/** A request with its variables filled in. */
export type PostmanRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** How a request is filled in: `secrets` is null for a monitor of one request, which has no references. */
export type Around = { scope: Scope; auth: unknown; secrets: Secrets | null }

const TYPES_OF_RAW: Record<string, string> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
}
const FORM = 'application/x-www-form-urlencoded'

/** Reads the `request` of an item, which may be a URL alone. Throws an UnfitRequest. */
export function readRequest(request: unknown, around: Around): PostmanRequest {
  const fields = isFields(request) ? request : { url: request }
  const method = textOf(fields.method).toUpperCase() || 'GET'
  if (!HttpMethod.safeParse(method).success)
    throw new UnfitRequest(said('uses the method {method}: checks here do not', { method }))
  const fill = (text: string) => filled(text, around.scope, around.secrets)
  const headers = headersOf(fields.header, fill)
  const { body, type } = method === 'GET' || method === 'HEAD' ? NO_BODY : bodyOf(fields.body, around)
  const credentials = credentialsOf(fields.auth ?? around.auth, around)
  const url = withQuery(urlOf(fields.url, around), credentials.query)
  const all = withTypeOfBody({ ...credentials.headers, ...headers }, body, type)
  if (namesAnotherHost({ url, request_headers: all })) throw new UnfitRequest(ANOTHER_HOST)
  return { method, url, headers: all, body }
}

function urlOf(given: unknown, around: Around): string {
  const fields = isFields(given) ? given : {}
  const written = writtenOf(isFields(given) ? fields.raw : given).trim() || joinedUrl(fields)
  if (written === '') throw new UnfitRequest(said('has no URL'))
  const inPath = variablesOf(fields.variable)
  const [path = '', ...query] = written.split('?')
  const placed = path.replaceAll(/\/:([\w-]+)(?=[/.#]|$)/g, (whole, name: string) => {
    const variable = inPath.get(name)
    if (variable?.text === '')
      throw new UnfitRequest(said('refers to {name}, which has no value in the file', { name: `:${name}` }))
    return variable ? `/${variable.text}` : whole
  })
  const url = filledOpenly([placed, ...query].join('?'), around)
  if (url.startsWith('{{')) throw new UnfitRequest(said('has an address that only a secret says'))
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (!/^https?:\/\//i.test(whole)) throw new UnfitRequest(said('is no request over HTTP'))
  if (/^https?:\/\/[^/?#]*@/i.test(whole))
    throw new UnfitRequest(
      said('has its user name and password in the URL: they belong into its authorization'),
    )
  return whole
}

/** A text that everyone in the team sees, so that no value of a secret may be in it. */
function filledOpenly(text: string, { scope, secrets }: Around): string {
  if (secrets === null) {
    const references = referencesIn(filled(text, scope, createSecrets()))
    if (references.some((reference) => secretNamed(reference) !== null))
      throw new UnfitRequest(said('has a secret in its URL, which everyone in the team would see'))
  }
  return filled(text, scope, secrets)
}

/** The parts of a URL that has no `raw`; those that are switched off are left out. */
function joinedUrl({ protocol, host, port, path, query }: Fields): string {
  const texts = (list: unknown, between: string) =>
    Array.isArray(list)
      ? list.map((part) => writtenOf(isFields(part) ? part.value : part)).join(between)
      : writtenOf(list)
  const named = texts(host, '.')
  if (named === '') return ''
  const scheme = textOf(protocol)
  const asked = recordsOf(query)
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => (value === null ? writtenOf(key) : `${writtenOf(key)}=${writtenOf(value)}`))
  const way = texts(path, '/').replace(/^\//, '')
  const at = textOf(port)
  return `${scheme && `${scheme}://`}${named}${at && `:${at}`}/${way}${asked.length > 0 ? `?${asked.join('&')}` : ''}`
}

/** Adds to the query, before a fragment. */
function withQuery(url: string, query: string): string {
  if (query === '') return url
  const [page = ''] = url.split('#')
  return `${page}${page.includes('?') ? '&' : '?'}${query}`
}

function headersOf(given: unknown, fill: (text: string) => string): Record<string, string> {
  const list = typeof given === 'string' ? linesOf(given) : recordsOf(given)
  const headers = list
    .filter(({ key, disabled }) => disabled !== true && textOf(key) !== '')
    .map(({ key, value }) => [fill(textOf(key)), fill(writtenOf(value))])
  return Object.fromEntries(headers)
}

function linesOf(text: string): Fields[] {
  return text.split(/\r?\n/).map((line) => {
    const [key, ...value] = line.split(':')
    return { key, value: value.join(':').trim() }
  })
}

type Body = { body: string; type: string | null }

const NO_BODY: Body = { body: '', type: null }

function bodyOf(given: unknown, { scope, secrets }: Around): Body {
  if (!isFields(given) || given.disabled === true) return NO_BODY
  switch (textOf(given.mode)) {
    case '':
    case 'none':
      return NO_BODY
    case 'raw': {
      const raw = isFields(given.options) && isFields(given.options.raw) ? given.options.raw : {}
      const language = textOf(raw.language)
      return {
        body: filled(writtenOf(given.raw), scope, secrets),
        type: (Object.hasOwn(TYPES_OF_RAW, language) && TYPES_OF_RAW[language]) || 'text/plain',
      }
    }
    case 'urlencoded': {
      if (typeof given.urlencoded === 'string')
        return { body: filled(given.urlencoded, scope, secrets), type: FORM }
      const form = (text: unknown) => filled(writtenOf(text), scope, secrets, inForm)
      const pairs = recordsOf(given.urlencoded)
        .filter(({ disabled }) => disabled !== true)
        .map(({ key, value }) => `${form(key)}=${form(value)}`)
      return { body: pairs.join('&'), type: FORM }
    }
    default:
      throw new UnfitRequest(
        said('has a body of the mode {mode}: raw and urlencoded come over', { mode: textOf(given.mode) }),
      )
  }
}

function inForm(literal: string): string {
  return new URLSearchParams([['', literal.toWellFormed()]]).toString().slice(1)
}

type Credentials = { headers: Record<string, string>; query: string }

const NO_CREDENTIALS: Credentials = { headers: {}, query: '' }

function credentialsOf(auth: unknown, around: Around): Credentials {
  const { scope, secrets } = around
  if (!isFields(auth)) return NO_CREDENTIALS
  const kind = textOf(auth.type)
  const setting = (name: string) => settingOf(auth[kind], name)
  const fill = (name: string) => filled(setting(name), scope, secrets)
  switch (kind) {
    case '':
    case 'noauth':
      return NO_CREDENTIALS
    case 'bearer':
      return { headers: { Authorization: `Bearer ${fill('token')}` }, query: '' }
    case 'basic': {
      // No reference can stand inside of what is encoded.
      const pair = [setting('username'), setting('password')].map((text) => filled(text, scope, null))
      const encoded = Buffer.from(pair.join(':')).toString('base64')
      return { headers: { Authorization: `Basic ${encoded}` }, query: '' }
    }
    case 'apikey': {
      if (setting('key') === '') return NO_CREDENTIALS
      return setting('in') === 'query'
        ? { headers: {}, query: filledOpenly(`${setting('key')}=${setting('value')}`, around) }
        : { headers: { [fill('key')]: fill('value') }, query: '' }
    }
    default:
      throw new UnfitRequest(said('signs in by {kind}: bearer, basic and apikey come over', { kind }))
  }
}

/** A setting of an authorization: in a list of pairs, or in an object as collections of format 2.0 have it. */
function settingOf(settings: unknown, name: string): string {
  if (Array.isArray(settings)) return writtenOf(recordsOf(settings).find(({ key }) => key === name)?.value)
  return isFields(settings) && Object.hasOwn(settings, name) ? writtenOf(settings[name]) : ''
}
