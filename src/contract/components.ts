import { WebhookAlert } from '../core/alert.ts'
import { Badge } from '../core/badge.ts'
import { Check, CheckStatus } from '../core/check.ts'
import { Contact, ContactConfigs, ContactCreate, ContactPatch, ContactType } from '../core/contact.ts'
import { Incident } from '../core/incident.ts'
import { HttpMethod, Monitor, MonitorCreate, MonitorPatch, MonitorType } from '../core/monitor.ts'
import { NEEDED_FIELDS } from '../core/monitor-rules.ts'
import { PageLinks, PageMeta } from '../core/pagination.ts'
import { PlanName } from '../core/plan.ts'
import { Team } from '../core/team.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'

const SHARED = { MonitorType, CheckStatus, HttpMethod, ContactType, PlanName }

const ANSWERS = { Monitor, Check, Incident, Contact, Team, PageLinks, PageMeta, WebhookAlert, Badge }

const BODIES = { MonitorCreate, MonitorPatch, ContactCreate, ContactPatch }

/** Named schemas, by the way in which they are read; what operations ask and answer refers to them. */
export const NAMED = {
  output: { ...SHARED, ...ANSWERS },
  input: { ...SHARED, ...BODIES, ...contactConfigs() },
}

/** The schemas of the document, by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  const answers = jsonSchemasOf(NAMED.output, 'output')
  const bodies = jsonSchemasOf(NAMED.input, 'input')
  const { ContactCreate: create = {}, ContactPatch: patch = {}, ...others } = bodies
  return {
    ...answers,
    ...others,
    MonitorCreate: { ...bodies.MonitorCreate, allOf: needsOfMonitors() },
    Contact: { ...answers.Contact, allOf: needsOfContacts() },
    ...contactCreates(create),
    ContactPatch: withProperties(patch, { config: { anyOf: ContactType.options.map(configRef) } }),
  }
}

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function contactConfigs() {
  return Object.fromEntries(ContactType.options.map((type) => [configName(type), ContactConfigs[type]]))
}

function configName(type: ContactType): string {
  return `${capital(type)}Config`
}

function configRef(type: ContactType): JsonSchema {
  return schemaRef(configName(type))
}

/** Each field that some types need, if it is one of those. */
function needsOfMonitors(): JsonSchema[] {
  const fields = new Set(Object.values(NEEDED_FIELDS).flat())
  return [...fields].map((field) => {
    const types = MonitorType.options.filter((type) =>
      (NEEDED_FIELDS[type] as readonly string[]).includes(field),
    )
    const type = types.length === 1 ? { const: types[0] } : { enum: types }
    return {
      if: { properties: { type }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: [field], properties: { [field]: { not: { type: 'null' } } } },
    }
  })
}

/** Answers tell types that are not known here yet, so nothing is said about others. */
function needsOfContacts(): JsonSchema[] {
  return ContactType.options.map((type) => ({
    if: { properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { config: { required: Object.keys(ContactConfigs[type].shape) } } },
  }))
}

/** One schema for each type of contact, told apart by `type`, so that a client knows which `config` it takes. */
function contactCreates(create: JsonSchema): Record<string, JsonSchema> {
  const variants = ContactType.options.map((type) => ({
    type,
    name: `${capital(type)}ContactCreate`,
    schema: withProperties(create, { type: { type: 'string', const: type }, config: configRef(type) }),
  }))
  return {
    ContactCreate: {
      description: 'A contact of one of the types, told apart by `type`.',
      oneOf: variants.map(({ name }) => schemaRef(name)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(variants.map(({ type, name }) => [type, schemaRef(name).$ref])),
      },
    },
    ...Object.fromEntries(variants.map(({ name, schema }) => [name, schema])),
  }
}

function withProperties(schema: JsonSchema, properties: Record<string, JsonSchema>): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...properties } }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
