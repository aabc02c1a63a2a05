import * as z from 'zod'
import { type AnswerPart, Assertions } from '../../../expectations/assertion.ts'
import { phrase } from '../../../language/phrase.ts'
import { issueAt, issueOf, type Said, said, saidOf } from '../../../language/said.ts'
import { label, text, unreadableFault } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import { HeaderRecord, TOKEN } from '../../request-headers.ts'
import { MAX_STEP_NAME, MAX_STEPS } from '../../steps/step-timing.ts'
import { MADE_NAMES, referencesIn, secretNamed, standingIn } from '../../steps/template.ts'
import { sourceFaults } from '../expectations.ts'
import type { Option, OptionFault } from '../option.ts'
import { HttpMethod, SentText } from '../request.ts'

export const MIN_STEPS = 2
export const MAX_STEP_SECONDS = 60
export const MAX_CAPTURES = 10
const MAX_URL_LENGTH = 2_000
const MAX_PROPERTY_LENGTH = 500
const MAX_SECRETS = 20
const MAX_SECRET_LENGTH = 8_192
/** In UTF-16 units of their JSON. The schedule of a process keeps the steps of all its monitors. */
const MAX_STEPS_LENGTH = 131_072

/** A name that a template can hold. */
const NAME = /^[A-Za-z_]\w{0,39}$/
const MAX_NAME_LENGTH = 40
const NO_NAME = phrase(
  'must have a name of letters, digits and _ that begins with no digit, up to 40 characters',
)
const RESERVED: readonly string[] = [...MADE_NAMES, 'secret']

/** The parts of an answer that the assertions of a step may read. */
export const SOURCES_OF_STEPS: readonly AnswerPart[] = [
  'status_code',
  'header',
  'body',
  'json',
  'response_time_ms',
  'certificate_days',
]

/** The parts of an answer that a value may be read from. */
export const CAPTURE_SOURCES = ['json', 'header', 'body'] as const

const Capture = z
  .strictObject({
    source: z
      .enum(CAPTURE_SOURCES)
      .describe('Where the value is read: by a JSONPath, in a header, or by a pattern in the body.'),
    property: text(MAX_PROPERTY_LENGTH)
      .min(1)
      .describe('The JSONPath (RFC 9535), the name of the header, or the pattern (RE2) with one group.'),
  })
  .superRefine(({ source, property }, context) => {
    if (source === 'header' && !TOKEN.test(property))
      context.addIssue(
        issueAt(['property'], said('must be the name of a header, got {got}', { got: property })),
      )
  })
export type Capture = z.infer<typeof Capture>

const Captures = named(Capture, MAX_CAPTURES).describe(
  'Values that the step reads from its answer, by name, for `{{name}}` in later steps; at most 10.',
)

/** A record whose keys templates can name. */
function named<Value extends z.ZodType>(value: Value, max: number) {
  return z
    .record(z.string(), value)
    .superRefine((values, context) => {
      const names = Object.keys(values)
      if (names.length > max)
        context.addIssue(
          issueOf(said('must have at most {max} entries, got {got}', { max, got: names.length })),
        )
      for (const name of names) {
        if (!NAME.test(name)) context.addIssue(issueAt([name], saidOf(NO_NAME)))
        else if (RESERVED.includes(name))
          context.addIssue(issueAt([name], said('must have another name: {name} has a meaning', { name })))
      }
    })
    .meta({
      maxProperties: max,
      propertyNames: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: NAME.source },
    })
}

const StepUrl = text(MAX_URL_LENGTH).superRefine((value, context) => {
  const fault = urlFault(value)
  if (fault) context.addIssue(issueOf(fault))
})

/** Judged with a stand-in for each reference; relative to some page. */
function urlFault(template: string): Said | null {
  const shape = standingIn(template)
  if (shape === '') return said('must not be empty')
  const unreadable = unreadableFault(shape)
  if (unreadable) return unreadable
  const url = URL.parse(shape, 'https://example.com/')
  if (!url || !/^https?:$/.test(url.protocol))
    return said('must be a URL of http or https, or one that is relative to the step before')
  return url.username || url.password ? said('must not contain credentials') : null
}

const RequestStep = z.strictObject({
  name: label(MAX_STEP_NAME).describe('Its name in causes; no two steps have the same.'),
  method: HttpMethod.default('GET').describe('Method of the request.'),
  url: StepUrl.describe(
    'URL of the request, which may be relative: to the step before, of the first step to the `url` of the monitor.',
  ),
  headers: HeaderRecord.optional().describe('Headers of the request, name to value.'),
  body: SentText.optional().describe('Body of the request, at most 65,536 bytes.'),
  assertions: Assertions.optional().describe(
    'Expectations of the answer. Without an assertion about the status, it must be 200 to 299.',
  ),
  captures: Captures.optional(),
  timeout_seconds: z
    .int()
    .min(1)
    .max(MAX_STEP_SECONDS)
    .optional()
    .describe('Time limit of this step, within that of the whole check.'),
  always: z
    .boolean()
    .optional()
    .describe('Whether the step runs whatever happened before, to clean up.')
    .meta({ default: false }),
})
export type RequestStep = z.infer<typeof RequestStep>

/** The requests of one check, in order. */
export const RequestSteps = z
  .array(RequestStep)
  .min(MIN_STEPS)
  .max(MAX_STEPS)
  .superRefine((steps, context) => {
    const names = new Set<string>()
    for (const [index, { name }] of steps.entries()) {
      if (names.has(name))
        context.addIssue(issueAt([index, 'name'], said('must not be the name of an earlier step')))
      names.add(name)
    }
    for (const { at, message } of unknownCaptures(steps)) context.addIssue(issueAt(at, message))
    const got = JSON.stringify(steps).length
    if (got > MAX_STEPS_LENGTH)
      context.addIssue(
        issueOf(said('must be at most {max} characters as JSON, got {got}', { max: MAX_STEPS_LENGTH, got })),
      )
  })
export type RequestSteps = z.infer<typeof RequestSteps>

/** The texts of a step that hold references, with their paths in it. */
export function templatesOf({ url, headers, body }: Pick<RequestStep, 'url' | 'headers' | 'body'>) {
  return [
    { at: ['url'], template: url },
    ...Object.entries(headers ?? {}).map(([name, template]) => ({ at: ['headers', name], template })),
    ...(body === undefined ? [] : [{ at: ['body'], template: body }]),
  ]
}

/** References in steps, each with its path in the list. */
function* referencesOf(steps: RequestSteps) {
  for (const [index, step] of steps.entries())
    for (const { at, template } of templatesOf(step))
      for (const reference of referencesIn(template)) yield { index, at: [index, ...at], reference }
}

function unknownCaptures(steps: RequestSteps): OptionFault[] {
  return [...referencesOf(steps)].flatMap(({ index, at, reference }) => {
    if (secretNamed(reference) !== null || (MADE_NAMES as readonly string[]).includes(reference)) return []
    const isCaptured = steps.slice(0, index).some(({ captures = {} }) => Object.hasOwn(captures, reference))
    if (isCaptured) return []
    return [{ at, message: said('refers to {name}, which no earlier step captures', { name: reference }) }]
  })
}

function unknownSecrets(steps: RequestSteps, secrets: unknown): OptionFault[] {
  return [...referencesOf(steps)].flatMap(({ at, reference }) => {
    const name = secretNamed(reference)
    if (name === null || Object.hasOwn((secrets as object | null | undefined) ?? {}, name)) return []
    return [{ at, message: said('refers to {name}, which is none of the secrets', { name: reference }) }]
  })
}

/** Stands for a part of a host that only an answer tells. */
const UNKNOWN_HOST = 'upbeat-stand-in'

/** The URLs that are whole as they are written, but for values behind their host. */
export function writtenUrls(steps: RequestSteps): { at: string[]; url: string }[] {
  return steps.flatMap(({ url }, index) => {
    const written = URL.parse(standingIn(url, UNKNOWN_HOST))
    return written && !written.host.includes(UNKNOWN_HOST)
      ? [{ at: [String(index), 'url'], url: written.href }]
      : []
  })
}

/** Options of a check of several requests. */
export const STEPS = {
  steps: {
    schema: RequestSteps,
    description:
      'The requests of the check, 2 to 20, one after the other, with the cookies that answers set. Texts may refer to what earlier steps captured (`{{name}}`), to `{{uuid}}`, `{{now}}` and `{{secret.NAME}}`. Required.',
    group: 'request',
    label: phrase('Steps of the check'),
    hint: phrase('Requests, one after the other. The check passes if every step does.'),
    has: (type) => hasOption(type, 'steps'),
    default: null,
    parts: {
      name: { label: phrase('Name') },
      method: { label: phrase('Method') },
      url: {
        label: 'URL',
        hint: phrase(
          'A full URL, or one relative to the step before, such as /basket. Write a captured value as its name in double braces.',
        ),
      },
      headers: { label: phrase('Headers'), isMore: true },
      body: {
        label: phrase('Body'),
        hint: phrase(
          'Captured values are escaped in JSON and forms; in triple braces they are inserted as they are.',
        ),
        isMore: true,
      },
      assertions: {
        label: phrase('Expectations'),
        hint: phrase('Without an assertion about the status, it must be 200 to 299.'),
        sources: SOURCES_OF_STEPS,
        isMore: true,
      },
      captures: {
        label: phrase('Captures'),
        hint: phrase('Values read from the answer. Later steps use them by name, in double braces.'),
        isMore: true,
      },
      timeout_seconds: {
        label: phrase('Timeout in seconds'),
        hint: phrase('1 to 60, within the timeout of the whole check.'),
        isMore: true,
      },
      always: {
        label: phrase('Always run'),
        hint: phrase('For cleaning up: runs whatever happened before.'),
        isMore: true,
      },
    },
    secrets: [
      { at: ['*', 'headers', '*'], shownTo: 'admins', keptBy: 'name' },
      { at: ['*', 'body'], shownTo: 'admins', keptBy: 'name' },
    ],
    faults: (type, value) =>
      (Array.isArray(value) ? (value as RequestSteps) : []).flatMap(({ assertions }, index) =>
        sourceFaults(SOURCES_OF_STEPS, type, assertions).map(({ at, message }) => ({
          at: [index, 'assertions', ...at],
          message,
        })),
      ),
    clashes: (value, _around, { secrets }) => unknownSecrets(value as RequestSteps, secrets),
    addresses: (value) => writtenUrls(value as RequestSteps),
  },
  secrets: {
    schema: named(
      text(MAX_SECRET_LENGTH).min(1).describe('It is sealed in the database, and never returned.'),
      MAX_SECRETS,
    ),
    description:
      'Secrets for `{{secret.NAME}}` in steps, by name, at most 20. They are sealed in the database, and never returned.',
    group: 'request',
    label: phrase('Secrets'),
    hint: phrase(
      'Steps refer to them as secret.NAME in double braces. They are stored encrypted, and never shown again.',
    ),
    has: (type) => hasOption(type, 'secrets'),
    default: null,
    secrets: [{ at: ['*'], shownTo: 'nobody' }],
  },
} as const satisfies Record<string, Option>
