import { randomUUID } from 'node:crypto'
import type { JudgedAnswer } from '../../core/expectations/evaluate.ts'
import { TOO_BUSY } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { type RequestStep, writtenUrls } from '../../core/monitors/options/protocols/steps.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import {
  filledTemplate,
  placeOfBody,
  secretNamed,
  type TemplatePlace,
} from '../../core/monitors/steps/template.ts'
import {
  CAPTURES_BEYOND_BOUND,
  captureMissing,
  captureTooLong,
  STEP_TOO_LONG,
  STEP_URL_UNUSABLE,
} from '../../core/monitors/types/causes.ts'
import type { AddressKind } from '../../net/address-policy.ts'
import type { Network } from '../../net/network.ts'
import { capturedWithinBound } from '../bounded-evaluation.ts'
import { type CookieJar, createCookieJar } from '../cookie-jar.ts'
import { namedBy } from '../follow-redirects.ts'
import type { AnswerReader } from '../judge-answer.ts'
import { secretsOf } from '../mask-secrets.ts'

/** In UTF-16 units. */
const MAX_CAPTURED_LENGTH = 8_192
const MAX_URL_LENGTH = 16_384
const MAX_HEADER_LENGTH = 16_384
const MAX_BODY_LENGTH = 262_144
/** A shorter one tells nothing, and is part of many a cause. In UTF-16 units. */
const MIN_SECRET_LENGTH = 4
const OK = 200
const CODES = 100
/** All of 2xx. */
const EXPECTED = Array.from({ length: CODES }, (_, index) => OK + index)

type Settings = ProbeSettings<'steps'>

/** The request of a step: the settings of a check of it alone, and how its address came about. */
export type StepRequest = {
  settings: ProbeSettings<'http'>
  kind: AddressKind
  isOwn: boolean
  /** Whether its host stands in the steps as it is; else it may be a secret, or hold one. */
  isWritten: boolean
}

/** Cookies, values and addresses that the steps of one check leave to those after them. */
export type Course = {
  readonly cookies: CookieJar
  /** Secrets of the monitor, what its requests sent, cookies and captured values: no cause repeats them. */
  readonly secrets: string[]
  /** `missing`: the step that should have captured a value failed. Another text is the cause of a failure. */
  requestOf(step: RequestStep): { request: StepRequest } | { cause: string } | 'missing'
  /** Captures what the step wants of its answer. */
  readerOf(step: RequestStep, address: () => string | null): AnswerReader | null
}

export function createCourse(network: Network, settings: Settings): Course {
  const { options, url } = settings
  const own = new URL(url)
  const written = new Set([own.origin])
  for (const { url } of writtenUrls(options?.steps ?? [])) written.add(new URL(url).origin)
  const values = new Map<string, string>([['uuid', randomUUID()]])
  const secrets = Object.values(options?.secrets ?? {})
  const cookies = createCookieJar()
  let base = own
  /** The worst kind of an address that a captured value may name. */
  let kind: AddressKind = 'check'

  const valueFor = (name: string) => {
    const secret = secretNamed(name)
    if (secret !== null) return options?.secrets?.[secret] ?? null
    return name === 'now' ? network.now().toISOString() : (values.get(name) ?? null)
  }
  const fill = (template: string, place: TemplatePlace, max: number) =>
    filledTemplate(template, place, valueFor, max)

  return {
    cookies,
    secrets,
    requestOf(step) {
      const filled = filledStep(step, fill)
      if (filled === 'missing') return filled
      if (filled === 'too long') return { cause: STEP_TOO_LONG }
      const target = URL.parse(filled.url, base)
      if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password)
        return { cause: STEP_URL_UNUSABLE }
      base = target
      const asked = settingsOf(settings, step, { ...filled, url: target.href })
      // The answer to a later step may repeat it.
      secrets.push(...secretsOf(asked))
      const isWritten = written.has(target.origin)
      return {
        request: {
          settings: asked,
          kind: isWritten ? 'check' : kind,
          isOwn: target.origin === own.origin,
          isWritten,
        },
      }
    },
    readerOf({ captures = {} }, address) {
      const wanted = Object.values(captures)
      if (wanted.length === 0) return null
      return {
        readsBody: wanted.some(({ source }) => source !== 'header'),
        async read(answer) {
          if (kind === 'check') kind = namedBy(network, address()).kind
          return keepCaptured(captures, answer, (name, value) => {
            values.set(name, value)
            if (value.length >= MIN_SECRET_LENGTH) secrets.push(value)
          })
        },
      }
    },
  }
}

/** Why not all that a step wants is there; null if it is. All that is there is kept before, so that no cause repeats it. */
async function keepCaptured(
  captures: NonNullable<RequestStep['captures']>,
  answer: JudgedAnswer,
  keep: (name: string, value: string) => void,
): Promise<string | CheckResult | null> {
  const found = await capturedWithinBound(captures, answer)
  if (found === 'not judged') return resultWithout('pending', TOO_BUSY)
  if (found === 'beyond bound') return CAPTURES_BEYOND_BOUND
  let cause: string | null = null
  for (const [name, value] of found) {
    if (value === null) cause ??= captureMissing(name)
    else if (value.length > MAX_CAPTURED_LENGTH) cause ??= captureTooLong(name, MAX_CAPTURED_LENGTH)
    else keep(name, value)
  }
  return cause
}

type Filled = { url: string; headers: Record<string, string>; body: string | null }
type Fill = (template: string, place: TemplatePlace, max: number) => ReturnType<typeof filledTemplate>

function filledStep({ url, headers = {}, body }: RequestStep, fill: Fill): Filled | 'missing' | 'too long' {
  const filled: Filled = { url: '', headers: {}, body: null }
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const address = fill(url, 'url', MAX_URL_LENGTH)
  if (typeof address === 'string') return address
  filled.url = address.text
  for (const [name, template] of Object.entries(headers)) {
    const value = fill(template, 'header', MAX_HEADER_LENGTH)
    if (typeof value === 'string') return value
    filled.headers[name] = value.text
  }
  if (body === undefined) return filled
  const sent = fill(body, placeOfBody(body, contentType), MAX_BODY_LENGTH)
  return typeof sent === 'string' ? sent : { ...filled, body: sent.text }
}

/** The settings of a check of one step alone, of what all steps share and what is its own. */
function settingsOf(
  { interval_seconds, shows_answer, team_id, request_timeout_seconds, options }: Settings,
  { method, assertions, timeout_seconds }: RequestStep,
  { url, headers, body }: Filled,
): ProbeSettings<'http'> {
  const { steps: _, secrets: __, assertions: ___, ...shared } = options ?? {}
  return {
    ...{ type: 'http', url, interval_seconds },
    request_timeout_seconds: Math.min(timeout_seconds ?? request_timeout_seconds, request_timeout_seconds),
    http_method: method,
    expected_status_codes: EXPECTED,
    request_headers: headers,
    options: { ...shared, ...(assertions && { assertions }), ...(body !== null && { request_body: body }) },
    ...(shows_answer && { shows_answer }),
    ...(team_id !== undefined && { team_id }),
  }
}
