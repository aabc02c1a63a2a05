import * as z from 'zod'
import { WebhookAlert } from '../../core/alerting/alert.ts'
import {
  Contact,
  ContactConfigs,
  ContactCreate,
  ContactPatch,
  ContactType,
} from '../../core/alerting/contact.ts'
import { BadgeData } from '../../core/monitors/badge.ts'
import { Check, CheckStatus } from '../../core/monitors/check.ts'
import { Incident } from '../../core/monitors/incident.ts'
import { Monitor, MonitorCreate, MonitorPatch, MonitorType } from '../../core/monitors/monitor.ts'
import { neededSettings } from '../../core/monitors/monitor-types.ts'
import { optionsOfType } from '../../core/monitors/options/monitor-options.ts'
import { HttpMethod } from '../../core/monitors/options/request.ts'
import { PageLinks, PageMeta } from '../../core/pagination.ts'
import { PlanName } from '../../core/teams/plan.ts'
import { Team } from '../../core/teams/team.ts'
import { capitalized } from '../../core/text.ts'
import type { JsonSchema, SchemaDirection } from './json-schema.ts'

const SHARED = { MonitorType, CheckStatus, HttpMethod, ContactType, PlanName }

const ANSWERS = { Monitor, Check, Incident, Contact, Team, PageLinks, PageMeta, WebhookAlert, BadgeData }

const BODIES = { MonitorCreate, MonitorPatch, ContactCreate, ContactPatch }

/** Named schemas by direction; operations refer to them by name. */
export const NAMED: Record<SchemaDirection, Record<string, z.ZodType>> = {
  output: { ...SHARED, ...ANSWERS },
  input: { ...SHARED, ...BODIES, ...contactConfigs() },
}

/** The schemas of the document by name, from the JSON Schemas of all named ones. */
export function componentSchemas(
  made: Record<SchemaDirection, Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const answers = pick(made.output, Object.keys(NAMED.output))
  const bodies = pick(made.input, Object.keys(NAMED.input))
  const { MonitorCreate: monitor, MonitorPatch: monitorPatch, ...contactBodies } = bodies
  const { ContactCreate: create, ContactPatch: patch, ...others } = contactBodies
  return {
    ...answers,
    ...others,
    ...growing(pick(made.output, Object.keys(SHARED))),
    MonitorCreate: { ...monitor, allOf: [...needsOfMonitors(monitor), byMonitorType('SentOptions')] },
    MonitorPatch: withProperties(monitorPatch, {
      options: {
        description: propertyOf(monitorPatch, 'options').description,
        anyOf: [...MonitorType.options.map((type) => optionsRef(type, 'SentOptions')), { type: 'null' }],
      },
    }),
    Monitor: { ...answers.Monitor, allOf: [byMonitorType('Options')] },
    ...optionsByType('SentOptions', monitor, false),
    ...optionsByType('Options', answers.Monitor, true),
    ...byContactType('Contact', answers.Contact, (type) => shownConfig(type, answers.Contact, bodies)),
    ...byContactType('ContactCreate', create, configRef),
    ContactPatch: withProperties(patch, {
      config: {
        description: propertyOf(patch, 'config').description,
        anyOf: ContactType.options.map(configRef),
      },
    }),
  }
}

/** Enumerations may get new values without notice. */
function growing(enumerations: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(enumerations).map(([name, schema]) => [
      name,
      { ...schema, description: `${schema.description} New values may be added.` },
    ]),
  )
}

function pick(schemas: Record<string, JsonSchema>, names: string[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}]))
}

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function contactConfigs() {
  return Object.fromEntries(ContactType.options.map((type) => [configName(type), ContactConfigs[type]]))
}

function configName(type: ContactType): string {
  return `${capitalized(type)}Config`
}

function configRef(type: ContactType): JsonSchema {
  return schemaRef(configName(type))
}

type OptionsKind = 'Options' | 'SentOptions'

function optionsRef(type: MonitorType, kind: OptionsKind): JsonSchema {
  return schemaRef(capitalized(type) + kind)
}

/** One alternative for each type: the type says which options there are. */
function byMonitorType(kind: OptionsKind): JsonSchema {
  return {
    oneOf: MonitorType.options.map((type) => ({
      required: ['type'],
      properties: {
        type: { type: 'string', const: type },
        options: { anyOf: [optionsRef(type, kind), { type: 'null' }] },
      },
    })),
  }
}

/** The options that each type has. Answers may hold more of them some day; an unknown one that is sent is refused. */
function optionsByType(
  kind: OptionsKind,
  monitor: JsonSchema | undefined,
  isAnswer: boolean,
): Record<string, JsonSchema> {
  const shapes = [propertyOf(monitor, 'options')].flatMap((one) => [
    one,
    ...((one.anyOf ?? []) as JsonSchema[]),
  ])
  const all = (shapes.find(({ properties }) => properties)?.properties ?? {}) as Record<string, JsonSchema>
  return Object.fromEntries(
    MonitorType.options.map((type) => [
      capitalized(type) + kind,
      {
        type: 'object',
        description: `The options of a monitor of type \`${type}\`.`,
        properties: Object.fromEntries(optionsOfType(type).map((name) => [name, all[name]])),
        ...(!isAnswer && { additionalProperties: false }),
      },
    ]),
  )
}

/** Each conditionally required field gets a rule: either the type does not need it, or it is present. */
function needsOfMonitors(monitor: JsonSchema = {}): JsonSchema[] {
  const fields = new Set(MonitorType.options.flatMap(neededSettings))
  return [...fields].map((field) => {
    const others = MonitorType.options.filter((type) => !neededSettings(type).includes(field))
    const { default: _, description: __, ...property } = propertyOf(monitor, field)
    const type = (property.type as string[]).find((name) => name !== 'null')
    // Required text must not be empty.
    const needed = { ...property, type, ...(type === 'string' && { minLength: 1 }) }
    return {
      anyOf: [
        { properties: { type: { type: 'string', enum: others } } },
        { required: [field], properties: { [field]: needed } },
      ],
    }
  })
}

/** A contact's config in answers: the keys of its type as text, with secrets masked for viewers. */
function shownConfig(
  type: ContactType,
  contact: JsonSchema = {},
  configs: Record<string, JsonSchema>,
): JsonSchema {
  const { description, additionalProperties } = propertyOf(contact, 'config')
  const shape: Record<string, z.ZodType> = ContactConfigs[type].shape
  const keys = Object.keys(shape)
  return {
    type: 'object',
    description,
    required: keys.filter((key) => !(shape[key] instanceof z.ZodOptional)),
    properties: Object.fromEntries(
      keys.map((key) => {
        const { description: what } = propertyOf(configs[configName(type)], key)
        return [key, { ...(additionalProperties as JsonSchema), description: what }]
      }),
    ),
  }
}

/**
 * One schema per contact type, discriminated by `type`, so that a client knows the shape of `config`. A
 * single schema with all keys optional would say less, and code generators would contradict themselves about
 * `additionalProperties`.
 */
function byContactType(
  name: string,
  schema: JsonSchema = {},
  configOf: (type: ContactType) => JsonSchema,
): Record<string, JsonSchema> {
  const variants = ContactType.options.map((type) => ({
    type,
    name: `${capitalized(type)}${name}`,
    schema: withProperties(schema, { type: { type: 'string', const: type }, config: configOf(type) }),
  }))
  return {
    [name]: {
      description: 'A contact; `type` determines the shape of `config`.',
      oneOf: variants.map((variant) => schemaRef(variant.name)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(variants.map((variant) => [variant.type, schemaRef(variant.name).$ref])),
      },
    },
    ...Object.fromEntries(variants.map((variant) => [variant.name, variant.schema])),
  }
}

function propertyOf(schema: JsonSchema = {}, name: string): JsonSchema {
  return (schema.properties as Record<string, JsonSchema>)[name] ?? {}
}

function withProperties(schema: JsonSchema = {}, properties: Record<string, JsonSchema>): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...properties } }
}
