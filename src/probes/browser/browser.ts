import type { FilledStep, PageReport, PageTask, PageTrail } from '../../core/monitors/browser/page-report.ts'
import type { PageStep } from '../../core/monitors/browser/page-step.ts'
import { cutCause, TOO_BUSY } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { pagesIn } from '../../core/monitors/options/protocols/browser.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { StepTiming } from '../../core/monitors/steps/step-timing.ts'
import { filledTemplate, referencesIn, secretNamed } from '../../core/monitors/steps/template.ts'
import { portOf, targetHost } from '../../core/monitors/target.ts'
import {
  browserTrouble,
  NO_BROWSER,
  OPENING,
  ofStep,
  pageFault,
  pageTooLarge,
} from '../../core/monitors/types/causes.ts'
import { type FailingAnswer, failingAnswer } from '../../core/probing/failing-answer.ts'
import { maskedAddress } from '../../core/teams/access.ts'
import type { AddressKind } from '../../net/address-policy.ts'
import type { Network } from '../../net/network.ts'
import { MAX_PAGE_BYTES, openPageProxy, type PageProxy } from '../../net/proxy/page-proxy.ts'
import { answered, attempt, type ProbeAttempt } from '../attempt.ts'
import { connect } from '../connect.ts'
import { namedBy } from '../follow-redirects.ts'
import { maskOf, type SecretMask } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import type { Probe } from '../probe.ts'
import type { Browsers, PageLook } from './browsers.ts'

type Settings = ProbeSettings<'browser'>
/** Too long a value is refused where it is set. In UTF-16 units. */
const MAX_FILLED_LENGTH = 16_384

/**
 * Up when the page loads in a browser and each step passes there. The way to its host is tried first, without a browser: a host that
 * cannot be reached needs none, and is told of in the words of every type.
 */
export function createBrowserProbe(network: Network, browsers: Browsers | null): Probe<'browser'> {
  return async (settings, signal) => {
    const reached = await attempt(network, settings, signal, tryWay)
    if (reached.status !== 'up') return reached
    if (!browsers) return resultWithout('pending', NO_BROWSER)
    const ways = createWays(network, settings)
    const opened: { proxy: PageProxy | null } = { proxy: null }
    const values = valuesOf(settings, network.now())
    const look = await browsers.look(settings.team_id ?? 0, signal, async () => {
      opened.proxy = await openPageProxy(network, ways)
      return taskOf(settings, values, opened.proxy)
    })
    opened.proxy?.close()
    return judge(settings, { look, proxy: opened.proxy, secrets: values.secrets, reached })
  }
}

async function tryWay(current: ProbeAttempt<Settings>): Promise<CheckResult> {
  const { url } = current.settings
  const port = portOf({ type: 'browser', url, port: null }) ?? 0
  const connected = await connect(current, { kind: 'check', url: URL.parse(url), port })
  if (connected.kind === 'ended') return connected.result
  connected.socket.destroy()
  return answered(current, null)
}

/** Pages that the member named lead where they may; what they name themselves, where a redirect may. */
function createWays(network: Network, { url, options }: Settings) {
  const pages = [url, ...pagesIn(options?.browser_steps ?? []).map((page) => page.url)]
  const written = new Set(pages.map(placeOf))
  let worst: AddressKind = 'check'
  return {
    kindOf: (place: string): AddressKind => (written.has(place) ? 'check' : worst),
    reached(address: string) {
      if (worst === 'check') worst = namedBy(network, address).kind
    },
  }
}

/** `host:port` of a URL, as the proxy names places. */
function placeOf(written: string): string {
  const url = URL.parse(written)
  if (!url) return ''
  return `${targetHost(url)}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

type Values = { fill: (value: string) => string; secrets: string[] }

function valuesOf({ options }: Settings, now: Date): Values {
  const secrets = Object.values(options?.secrets ?? {})
  for (const { action, value = '' } of options?.browser_steps ?? [])
    if (action === 'fill' && referencesIn(value).length === 0) secrets.push(value)
  const uuid = crypto.randomUUID()
  const valueFor = (name: string) => {
    const secret = secretNamed(name)
    if (secret !== null) return options?.secrets?.[secret] ?? null
    return name === 'now' ? now.toISOString() : uuid
  }
  const fill = (value: string) => {
    const filled = filledTemplate(value, 'text', valueFor, MAX_FILLED_LENGTH)
    return typeof filled === 'string' ? value : filled.text
  }
  return { fill, secrets }
}

function taskOf(settings: Settings, { fill }: Values, proxy: PageProxy): PageTask {
  const { url, options, request_timeout_seconds } = settings
  const { server, username, password } = proxy
  const steps = (options?.browser_steps ?? []).map(
    ({ action, url, by, target, value, timeout_seconds }): FilledStep => ({
      ...{ action, url, by, target, value: value && fill(value) },
      limitMs: timeout_seconds === undefined ? null : timeout_seconds * 1_000,
      isSecret: action === 'fill',
    }),
  )
  return {
    url,
    steps,
    proxy: { server, username, password },
    limitMs: request_timeout_seconds * 1_000,
    showsTrail: settings.shows_answer === true,
  }
}

type Seen = { look: PageLook; proxy: PageProxy | null; secrets: readonly string[]; reached: CheckResult }

async function judge(settings: Settings, { look, proxy, secrets, reached }: Seen): Promise<CheckResult> {
  if ('trouble' in look) return resultWithout('pending', browserTrouble(look.trouble))
  if (look.end === 'stalled') return resultWithout('pending', TOO_BUSY)
  if (look.end === 'crashed') return resultWithout('pending', browserTrouble('crashed'))
  const { httpStatusCode = null } = look.steps.findLast((step) => step.httpStatusCode !== null) ?? {}
  const mask = maskOf({ settings, secrets })
  const found = {
    ...{ ...reached, httpStatusCode, responseTimeMs: look.totalMs, steps: timingsOf(settings, look) },
    ...(look.trail && { answer: trailOf(look.trail, proxy, mask) }),
  }
  if (look.end === 'passed') return meetAssertions({ settings, secrets: [...secrets] }, found, {})
  const failing = failureOf(settings, look, proxy)
  if (failing.kind === 'inconclusive')
    return { ...resultWithout('pending', failing.reason), ...placeIn(failing) }
  const cause = cutCause(mask.apply(failing.cause))
  if (failing.kind === 'unreached')
    return { ...found, status: 'down', errorMessage: cause, responseTimeMs: null, ...placeIn(failing) }
  return { ...found, status: 'down', errorMessage: cause }
}

/** The page as the answer that is kept: its address, errors of its console, requests that failed, and its text. */
function trailOf(
  { url, errors, requests, text }: PageTrail,
  proxy: PageProxy | null,
  mask: SecretMask,
): FailingAnswer {
  const failed = requests.map(({ method, url, why }) => {
    const reason = proxy?.failures.get(placeOf(url))?.reason ?? why
    return `${method} ${maskedAddress(url)}: ${reason}`
  })
  const parts = [
    ...(errors.length > 0 ? ['Errors of the console:', ...errors, ''] : []),
    ...(failed.length > 0 ? ['Requests that failed:', ...failed, ''] : []),
    ...(text === '' ? [] : ['Text of the page:', text]),
  ]
  const whole = mask.apply(parts.join('\n'))
  return failingAnswer({
    statusLine: mask.apply(maskedAddress(url)),
    headers: [],
    body: whole === '' ? { kind: 'empty' } : { kind: 'text', text: whole, isCut: false },
  })
}

type Place = { name?: string | undefined; address?: string | null }
type Failure =
  | { kind: 'answered'; cause: string }
  /** A place was not reached, which the step may have needed. */
  | (Place & { kind: 'unreached'; cause: string })
  | (Place & { kind: 'inconclusive'; reason: string })

/** Why a look failed. A page that could not be opened is told of in the words of the way to it, which the proxy knows. */
function failureOf(
  { options, request_timeout_seconds }: Settings,
  look: PageReport,
  proxy: PageProxy | null,
): Failure {
  const index = look.steps.length - 1
  const step: PageStep | null = options?.browser_steps?.[index - 1] ?? null
  const say = (cause: string) => (step ? ofStep(index, step.name, cause) : cause)
  const failures = [...(proxy?.failures.values() ?? [])]
  const ours = failures.find(({ kind }) => kind === 'inconclusive')
  if (ours) return { kind: 'inconclusive', reason: ours.reason, ...placeIn(ours) }
  if (proxy?.isOverBound) return { kind: 'answered', cause: say(pageTooLarge(MAX_PAGE_BYTES)) }
  const fault = look.fault ?? { kind: 'failed', message: '' }
  const missed = fault.kind === 'not opened' ? failures.at(-1) : undefined
  if (missed) return { kind: 'unreached', cause: say(missed.reason), ...placeIn(missed) }
  const seconds = step?.timeout_seconds ?? request_timeout_seconds
  const cause = say(pageFault(fault, step, seconds))
  const [first] = failures
  return first ? { kind: 'unreached', cause, ...placeIn(first) } : { kind: 'answered', cause }
}

function placeIn({ name, address }: Place): { name?: string; address?: string } {
  return { ...(name !== undefined && { name }), ...(address != null && { address }) }
}

function timingsOf({ options }: Settings, look: PageReport): StepTiming[] {
  const names = [OPENING, ...(options?.browser_steps ?? []).map(({ name }) => name)]
  return names.map((name, index): StepTiming => {
    const step = look.steps[index]
    if (!step) return { name, status: 'skipped', start_ms: null, duration_ms: null, http_status_code: null }
    const isLast = index === look.steps.length - 1
    return {
      name,
      status: isLast && look.end === 'failed' ? 'down' : 'up',
      start_ms: step.startMs,
      duration_ms: step.durationMs,
      http_status_code: step.httpStatusCode,
    }
  })
}
