import type { AnswerPart } from '../../../src/core/expectations/assertion.ts'
import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import type { OptionName } from '../../../src/core/monitors/options/entries.ts'
import {
  type MonitorOptions,
  OPTION_NAMES,
  optionOf,
  optionsOfType,
  SentOptions,
} from '../../../src/core/monitors/options/monitor-options.ts'
import type { OptionGroup, OptionPart, TimeUnit } from '../../../src/core/monitors/options/option.ts'
import { t } from '../../language/language.ts'
import { controlsOf } from '../controls.ts'
import { changedNames, type Draft, readDraft } from '../draft.ts'

const PREFIX = 'options.'

export const OPTION_CONTROLS = controlsOf(SentOptions, PREFIX)

/** The name of an option's field. */
export const optionField = (name: string) => PREFIX + name

/** The fields of the options that a type has, or of those of one group. */
export function optionFieldsOf(type: MonitorType, group?: OptionGroup): string[] {
  return optionsOfType(type)
    .filter((name) => !optionOf(name).readOnly && (group === undefined || optionOf(name).group === group))
    .map(optionField)
}

/** The values that a form begins with. A switch that is not set stands at its default. */
export function optionValues(options: MonitorOptions | null): Record<string, unknown> {
  return Object.fromEntries(
    OPTION_NAMES.map((name) => {
      const fallback = optionOf(name).default
      return [optionField(name), options?.[name] ?? (typeof fallback === 'boolean' ? fallback : null)]
    }),
  )
}

/** The options of a new monitor that are set; null without any. */
export function newOptions(draft: Draft, type: MonitorType): Record<string, unknown> | null {
  const set = setOptions(draft, optionFieldsOf(type))
  return Object.keys(set).length > 0 ? set : null
}

/** The options that were changed, for a PATCH; undefined without any. */
export function changedOptions(
  before: Draft,
  draft: Draft,
  type: MonitorType,
): Record<string, unknown> | undefined {
  const changes = new Set(changedNames(OPTION_CONTROLS, before, draft))
  const fields = optionFieldsOf(type).filter((field) => changes.has(field))
  return fields.length > 0 ? readOptions(draft, fields) : undefined
}

/** Values for the API: an empty field, and a switch at its default, are not set. */
export function readOptions(draft: Draft, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readDraft(OPTION_CONTROLS, draft, fields)).map(([field, value]) => {
      const name = field.slice(PREFIX.length) as OptionName
      return [name, typeof value === 'boolean' && value === optionOf(name).default ? null : value]
    }),
  )
}

export function isOptionField(field: string): boolean {
  return field.startsWith(PREFIX)
}

type OptionText = {
  label: string
  hint?: string
  placeholder?: string
  parts?: Readonly<Record<string, OptionPart>>
  unit?: TimeUnit
  sources?: readonly AnswerPart[]
  isZone?: true
  offered?: readonly string[]
}

/** `type`: of the monitor, or the usual one where several are changed at once. */
export function optionTextOf(field: string, type: MonitorType = 'http'): OptionText {
  const option = optionOf(field.slice(PREFIX.length) as OptionName)
  const { label, hint, parts, unit, sources, isZone } = option
  const offered = option.offers?.(type) ?? []
  const fallback = offered[0] ?? option.default
  return {
    label: t(label),
    ...(hint && { hint: t(hint) }),
    ...(parts && { parts }),
    ...(unit && { unit }),
    ...(sources && { sources: sources(type) }),
    ...(isZone && { isZone }),
    ...(offered.length > 0 && { offered }),
    // Holds where nothing is set.
    ...(['number', 'string'].includes(typeof fallback) && { placeholder: String(fallback) }),
  }
}

/** The options of some fields that are set. */
export function setOptions(draft: Draft, fields: readonly string[]): MonitorOptions {
  const set = Object.entries(readOptions(draft, fields)).filter(([, value]) => value !== null)
  return Object.fromEntries(set) as MonitorOptions
}
