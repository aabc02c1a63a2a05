// npm test leaves this out: it lets Redocly's and Spectral's rules read the whole document (seconds of a core).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signatureHeaders } from '../../../src/alerts/signature.ts'
import { contract } from '../../../src/contract/contract.ts'
import { openApiDocument } from '../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'
import type { PublicOperation } from '../../../src/contract/operation.ts'
import { Alert, AlertEvent, testAlert, webhookPayload } from '../../../src/core/alerting/alert.ts'
import { faultFinder } from '../../support/documents/json-schema.ts'
import {
  type LintException,
  REDOCLY_EXCEPTIONS,
  SPECTRAL_EXCEPTIONS,
} from '../../support/documents/lint-exceptions.ts'

const SITE = 'https://upbeat.example.org'
const DOCUMENT = openApiDocument({
  siteUrl: SITE,
  baseUrl: `${SITE}/api/v1`,
  docsUrl: `${SITE}/docs`,
  version: '2026-11-21',
})

const faultsOf = faultFinder(DOCUMENT)
const strictFaultsOf = faultFinder(DOCUMENT, { strict: true })

type Finding = { rule: string; where: string; message: string }
type Media = { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }

const OPERATIONS = Object.entries(contract) as [string, PublicOperation][]

describe('the OpenAPI document', () => {
  it('has every operation of the contract, and names it by its id', () => {
    for (const [id, { method, path, deprecated, query, body, tag }] of OPERATIONS) {
      const described = DOCUMENT.paths[path]?.[method.toLowerCase()] as JsonSchema
      assert.equal(described.operationId, id)
      assert.deepEqual(described.tags, [tag])
      assert.equal(described.deprecated ?? false, deprecated !== undefined, id)
      assert.equal('requestBody' in described, body !== undefined, id)
      const parameters = (described.parameters ?? []) as { in: string; name: string }[]
      const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      assert.deepEqual(names, query ? Object.keys((query as unknown as { shape: object }).shape) : [])
    }
  })

  it('gives every operation an id of its own, a summary, a description and the answer to a fault', () => {
    const operations = operationsOf(DOCUMENT.paths)
    const ids = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const { operationId, summary, description, responses } of operations) {
      assert.ok(summary && description, String(operationId))
      assert.ok('500' in (responses as object), String(operationId))
    }
  })

  it('tells the defaults and bounds of what is sent', () => {
    const { MonitorCreate, MonitorPatch } = DOCUMENT.components.schemas
    const create = MonitorCreate?.properties as Record<string, JsonSchema>
    assert.deepEqual(MonitorCreate?.required, ['name', 'type', 'check_interval_minutes'])
    assert.equal(create.request_timeout_seconds?.default, 30)
    assert.equal(create.username?.default, null)
    assert.deepEqual(create.check_interval_minutes?.enum, [1, 5, 15, 30, 60])
    assert.deepEqual([create.port?.minimum, create.port?.maximum], [1, 65_535])
    assert.equal(create.request_headers?.maxProperties, 50)
    assert.match(String(create.request_headers?.description), /sets these itself: Host, Content-Length,/)
    assert.match(String(create.url?.description), /without user name and password: .*`https` for `ssl`/)
    assert.equal(MonitorPatch?.required, undefined)
    const { parameters } = (DOCUMENT.paths['/monitors']?.get ?? {}) as JsonSchema
    assert.deepEqual(
      (parameters as JsonSchema[])
        .slice(0, 2)
        .map(({ name, schema }) => [name, (schema as JsonSchema).default]),
      [
        ['page', 1],
        ['per_page', 25],
      ],
    )
  })

  it('knows what each type needs', () => {
    const body = { name: 'Shop', check_interval_minutes: 1 }
    const url = 'https://example.com/'
    const cases: [schema: string, value: object, isValid: boolean][] = [
      ['MonitorCreate', { ...body, type: 'http' }, false],
      ['MonitorCreate', { ...body, type: 'http', url: null }, false],
      ['MonitorCreate', { ...body, type: 'http', url }, true],
      ['MonitorCreate', { ...body, type: 'keyword', url }, false],
      ['MonitorCreate', { ...body, type: 'keyword', url, expected_keyword: '' }, false],
      ['MonitorCreate', { ...body, type: 'keyword', url, expected_keyword: 'OK' }, true],
      ['MonitorCreate', { ...body, type: 'tcp', url: 'tcp://example.com' }, false],
      ['MonitorCreate', { ...body, type: 'tcp', url: 'tcp://example.com', port: 0 }, false],
      ['MonitorCreate', { ...body, type: 'tcp', url: 'tcp://example.com', port: 1 }, true],
      ['MonitorCreate', { ...body, type: 'heartbeat' }, true],
      ['MonitorCreate', { ...body, type: 'heartbeat', further: 'member' }, true],
      ['ContactCreate', { name: 'A', type: 'email', config: { email: 'a@example.com' } }, true],
      ['ContactCreate', { name: 'A', type: 'email', config: { url } }, false],
      ['ContactCreate', { name: 'A', type: 'telegram', config: { bot_token: '1:A', chat_id: 5 } }, true],
      ['ContactCreate', { name: 'A', type: 'telegram', config: { bot_token: '1:A', chat_id: 'x' } }, false],
      ['ContactPatch', { config: { url } }, true],
      ['ContactPatch', { config: {} }, false],
      ['ContactPatch', {}, true],
    ]
    for (const [name, value, isValid] of cases) {
      const faults = faultsOf({ $ref: `#/components/schemas/${name}` }, value)
      assert.equal(faults === null, isValid, `${name} ${JSON.stringify(value)}: ${faults}`)
    }
  })

  it('knows what the config of each type of contact holds in answers, masked or not', () => {
    const contact = { id: 1, name: 'A', notify_on_down: true, notify_on_recovery: true }
    const cases: [type: string, config: object, isValid: boolean][] = [
      ['email', { email: 'a@example.com' }, true],
      ['slack', { webhook_url: 'https://hooks.slack.com/********' }, true],
      ['discord', { webhook_url: 'https://discord.com/api/webhooks/1/x' }, true],
      ['telegram', { bot_token: '********', chat_id: '-1001234' }, true],
      ['webhook', { url: 'https://example.com/hook' }, true],
      ['email', { url: 'https://example.com/hook' }, false],
      ['telegram', { bot_token: '********' }, false],
      ['telegram', { bot_token: '********', chat_id: -1001234 }, false],
      ['pager', { email: 'a@example.com' }, false],
    ]
    for (const [type, config, isValid] of cases) {
      const faults = strictFaultsOf({ $ref: '#/components/schemas/Contact' }, { ...contact, type, config })
      assert.equal(faults === null, isValid, `${type} ${JSON.stringify(config)}: ${faults}`)
    }
  })

  it('bounds nothing in two ways that generators of clients take for a contradiction', () => {
    const schemas = schemasOf(DOCUMENT)
    assert.ok(schemas.some(({ enum: values }) => values) && schemas.some(({ pattern }) => pattern))
    for (const schema of schemas) {
      const { enum: values, minimum, maximum, properties, additionalProperties, pattern } = schema
      const about = JSON.stringify(schema).slice(0, 300)
      // orval 7 writes z.literal(…).min(…), which there is not.
      if (values) assert.deepEqual([minimum, maximum], [undefined, undefined], about)
      // TypeScript: an optional member may be undefined, which an index signature of texts does not allow (TS2411).
      if (properties) assert.notEqual(typeof additionalProperties, 'object', about)
      // openapi-zod-client escapes slashes itself.
      if (typeof pattern === 'string') assert.doesNotMatch(pattern, /\\\//, about)
    }
  })

  it('describes the alerts that webhooks receive', () => {
    const alert = testAlert({ id: 1, name: 'Team' }, '2026-11-21T09:30:00.123Z')
    const schema = { $ref: '#/components/schemas/WebhookAlert' }
    for (const event of AlertEvent.options.filter((name) => name !== 'test')) {
      const type = Alert.shape.type.parse(event.split('.')[0])
      const told = { ...alert, event, type, id: 42, name: 'Shop', target: 'tcp://a:1' } as const
      assert.equal(strictFaultsOf(schema, webhookPayload(told)), null, event)
    }
    assert.equal(strictFaultsOf(schema, webhookPayload(alert)), null)
    const { parameters } = (DOCUMENT.webhooks.alert?.post ?? {}) as JsonSchema
    const signed = signatureHeaders(`whsec_${btoa('secret')}`, 'msg_1', new Date(0), '{}')
    assert.deepEqual(
      (parameters as JsonSchema[]).map(({ name }) => name),
      Object.keys(signed),
    )
  })

  it('shows examples that its own schemas accept, and nothing in them that they do not list', () => {
    const media = mediaOf(DOCUMENT)
    assert.ok(media.length > 60, `${media.length} bodies`)
    let shown = 0
    for (const { where, schema, example, examples = {} } of media) {
      for (const value of [example, ...Object.values(examples).map((one) => one.value)]) {
        if (value === undefined) continue
        shown++
        assert.equal(strictFaultsOf(schema, value), null, where)
      }
    }
    assert.ok(shown > 60, `${shown} examples`)
  })

  it('passes the recommended rules of Redocly', async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core')
    // As text: to relate an object to all that a configuration may hold takes the compiler three seconds.
    const config = await createConfig('extends: [recommended]')
    const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), config })
    const findings = problems.map(({ ruleId, message, location }) => ({
      rule: ruleId,
      where: String(location[0]?.pointer),
      message,
    }))
    assertOnlyExceptions(findings, REDOCLY_EXCEPTIONS)
  })

  it('passes Spectral with the rules of OWASP, but for what is written down', async () => {
    const { Spectral } = (await import('@stoplight/spectral-core')).default
    const { oas } = (await import('@stoplight/spectral-rulesets')).default
    const { default: owasp } = await import('@stoplight/spectral-owasp-ruleset')
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [oas, owasp] } as Parameters<typeof spectral.setRuleset>[0])
    const results = await spectral.run(DOCUMENT)
    const findings = results.map(({ code, path, message }) => ({
      rule: String(code),
      where: path.join('/'),
      message,
    }))
    assertOnlyExceptions(findings, SPECTRAL_EXCEPTIONS)
  })
})

/** Every finding is excepted, and every exception is found. */
function assertOnlyExceptions(findings: Finding[], exceptions: LintException[]): void {
  const covers = ({ rule, where }: LintException) => {
    return (finding: Finding) => finding.rule === rule && where.test(finding.where)
  }
  const unexpected = findings.filter((finding) => !exceptions.some((one) => covers(one)(finding)))
  assert.deepEqual(unexpected, [])
  const unused = exceptions.filter((one) => !findings.some(covers(one)))
  assert.deepEqual(unused, [])
}

/** Every schema, wherever it stands. */
function schemasOf(value: unknown): JsonSchema[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(schemasOf)
  return 'type' in value || 'properties' in value ? [value as JsonSchema, ...inner] : inner
}

function operationsOf(paths: Record<string, JsonSchema>): JsonSchema[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).filter(
      (value): value is JsonSchema => typeof value === 'object' && value !== null && 'operationId' in value,
    ),
  )
}

/** Everything with a schema and examples, wherever it stands: bodies, parameters, headers. */
function mediaOf(value: unknown, where = ''): (Media & { where: string })[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'schema' in value ? [{ ...(value as Media), where }] : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'example' || key === 'examples' ? [] : mediaOf(inner, `${where}/${key}`),
    ),
  ]
}
