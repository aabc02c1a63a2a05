import type { Assertion } from '../../core/expectations/assertion.ts'
import { type Said, said } from '../../core/language/said.ts'
import { MAX_STATUS_CODE, MIN_STATUS_CODE } from '../../core/monitors/monitor.ts'
import { MIN_STEPS } from '../../core/monitors/options/protocols/steps.ts'
import { MAX_STEPS } from '../../core/monitors/steps/step-timing.ts'
import type { Draft } from '../draft.ts'
import { expect } from '../expectations.ts'
import { type Fields, isFields, isOn, pairsOf, recordsOf, textOf, textsOf } from '../fields.ts'
import { statusAssertions } from '../status-codes.ts'
import { readConditions } from './conditions.ts'
import { secondsOfGoDuration } from './go-duration.ts'
import { operandOf } from './operands.ts'
import { HOLDS_VARIABLE, holdsVariable } from './variables.ts'

/** Suites have ten minutes between their runs, and five for each, as Gatus documents them. */
const DEFAULT_INTERVAL_SECONDS = 600
const DEFAULT_TIMEOUT_SECONDS = 300

const CONTEXT = /\[CONTEXT\]\.([\w.-]+)/gi
const NAME = /^[A-Za-z_]\w*$/

type Capture = { source: 'json' | 'header' | 'body'; property: string }

/** A suite of Gatus becomes one monitor: its endpoints are steps, and the values that they store are captured. */
export function draftSuite(draft: Draft, suite: Fields, name: string, tags: { tags?: string[] }): void {
  const notes: Said[] = []
  const read = holdsVariable(suite) ? HOLDS_VARIABLE : stepsOf(suite, notes)
  if (!('url' in read)) {
    draft.skip(said('suite {name}', { name }), read)
    return
  }
  const drafted = draft.monitor({
    name,
    type: 'steps',
    url: read.url,
    intervalSeconds: secondsOfGoDuration(textOf(suite.interval)) || DEFAULT_INTERVAL_SECONDS,
    timeoutSeconds: secondsOfGoDuration(textOf(suite.timeout)) || DEFAULT_TIMEOUT_SECONDS,
    is_active: isOn(suite.enabled, true),
    // The rules of the monitor judge them, as those that people send.
    own: { steps: read.steps as never },
    ...tags,
  })
  if (drafted !== null) for (const note of notes) draft.note(drafted, note)
}

/** The steps, and the address of the first one; or the reason why there are none. */
function stepsOf(suite: Fields, notes: Said[]): { url: string; steps: object[] } | Said {
  const endpoints = recordsOf(suite.endpoints)
  if (endpoints.length < MIN_STEPS || endpoints.length > MAX_STEPS)
    return said('has {count} endpoints: a monitor here has {min} to {max} steps', {
      ...{ count: endpoints.length, min: MIN_STEPS, max: MAX_STEPS },
    })
  const context = isFields(suite.context) ? suite.context : {}
  const inserted = (text: string) =>
    text.replaceAll(CONTEXT, (_, key: string) =>
      Object.hasOwn(context, key) ? textOf(context[key]) : `{{{${key}}}}`,
    )
  const names = new Set<string>()
  const steps: object[] = []
  for (const endpoint of endpoints) {
    const step = stepOf(endpoint, inserted, notes)
    if (!isStep(step)) return step
    let { name } = step
    for (let count = 2; names.has(name); count++) name = `${step.name} ${count}`
    names.add(name)
    steps.push({ ...step, name })
  }
  const [first] = steps as { url: string }[]
  const url = URL.parse(first?.url ?? '')
  return url ? { url: `${url.origin}/`, steps } : said('begins at an address that only its context says')
}

type DraftedStep = { name: string; url: string; [member: string]: unknown }

function isStep(step: DraftedStep | Said): step is DraftedStep {
  return 'name' in step
}

function stepOf(endpoint: Fields, inserted: (text: string) => string, notes: Said[]): DraftedStep | Said {
  const name = textOf(endpoint.name) || 'step'
  const url = inserted(textOf(endpoint.url))
  if (!/^https?:\/\//i.test(url)) return said('has {name}, which is no request over HTTP', { name })
  const captures = capturesOf(endpoint)
  if (captures === null) return said('stores a value in {name} that no step here can capture', { name })
  const client = isFields(endpoint.client) ? endpoint.client : {}
  const { timeout, ...settings } = client
  if (Object.keys(settings).length > 0)
    notes.push(
      said('had settings of a client in {name}: options of the monitor hold for all steps', { name }),
    )
  const body = inserted(textOf(endpoint.body))
  const isGraph = isOn(endpoint.graphql) && body !== ''
  const headers = Object.entries(pairsOf(endpoint.headers) ?? {}).map(([key, value]) => [
    key,
    inserted(value),
  ])
  const seconds = secondsOfGoDuration(textOf(timeout))
  return {
    name,
    url,
    method: textOf(endpoint.method).toUpperCase() || 'GET',
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== '' && { body: isGraph ? JSON.stringify({ query: body }) : body }),
    assertions: assertionsOf(textsOf(endpoint.conditions), notes),
    ...(Object.keys(captures).length > 0 && { captures }),
    ...(seconds && { timeout_seconds: Math.max(1, Math.ceil(seconds)) }),
    ...(isOn(endpoint['always-run']) && { always: true }),
  }
}

/** Without a condition on the status, any status passes there. */
function assertionsOf(conditions: string[], notes: Said[]): Assertion[] {
  const read = readConditions(conditions)
  notes.push(...read.notes.ofAsserting)
  const accepted = read.acceptedCodes ?? [`${MIN_STATUS_CODE}-${MAX_STATUS_CODE}`]
  const ofKeyword = read.keyword === null ? null : expect('body', 'contains', { target: read.keyword })
  return [
    ...(statusAssertions(accepted) ?? []),
    ...(ofKeyword ? [ofKeyword] : []),
    ...read.expected.flatMap(({ assertions }) => assertions),
  ]
}

/** Null where a value is none that a step can capture. */
function capturesOf({ store }: Fields): Record<string, Capture> | null {
  const captures: Record<string, Capture> = {}
  for (const [name, place] of Object.entries(isFields(store) ? store : {})) {
    const capture = captureOf(textOf(place))
    if (!capture || !NAME.test(name)) return null
    captures[name] = capture
  }
  return captures
}

function captureOf(place: string): Capture | null {
  const operand = operandOf(place)
  if (!operand || operand.call !== null) return null
  switch (operand.part) {
    case 'json':
      return { source: 'json', property: operand.name }
    case 'header':
      return { source: 'header', property: operand.name }
    case 'body':
      return { source: 'body', property: '(?s)^(.*)$' }
    default:
      return null
  }
}
