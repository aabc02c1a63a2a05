import type * as z from 'zod'
import type { AnswerPart } from '../../expectations/assertion.ts'
import { phrase } from '../../language/phrase.ts'
import type { Said } from '../../language/said.ts'
import type { MonitorType } from '../monitor-types.ts'

/** The groups of the form, in its order. A group that has no option for a type is not shown. */
export const OPTION_GROUPS = {
  group: phrase('Members and rule'),
  job: phrase('Times of the job'),
  request: phrase('Request'),
  expectations: phrase('Expectations'),
  patience: phrase('Patience'),
  connection: phrase('Connection'),
} as const satisfies Record<string, string>
export type OptionGroup = keyof typeof OPTION_GROUPS

/**
 * A text within the value of an option that is a secret: sealed in the database, masked in answers, diffs and logs. A mask
 * that is sent back keeps the stored text.
 */
export type OptionSecret = {
  /** The path in the value, where `*` stands for every key; empty for the value itself. */
  at: readonly string[]
  /** The secret is a part of the text at the path; `owner` is the part to which it belongs while a mask keeps it. */
  part?: {
    /** Null for a text without one. */
    read(text: string): string | null
    write(text: string, secret: string): string
    owner(text: string): string
  }
  /** Owners and admins see it and a viewer sees the mask; or nobody gets it back, and `export` prints a reference. */
  shownTo: 'admins' | 'nobody'
  /** In a list: a mask keeps the text of the element that has the same value at this key, wherever it stands. */
  keptBy?: string
  /** Keys beside it that must stay as they are while a mask keeps it. */
  boundTo?: readonly string[]
}

export type OptionPart = {
  label: string
  hint?: string
  /** The words of its values. */
  choices?: Readonly<Record<string, string>>
  /** The parts of an answer that it may read, where it is a list of assertions. */
  sources?: readonly AnswerPart[]
  /** Most objects do without it: forms fold it away. */
  isMore?: true
}

/** The unit of a length of time. */
export type TimeUnit = 'seconds' | 'minutes'

/** A fault of the value of an option; `at` is the path in the value. */
export type OptionFault = { at: (string | number)[]; message: Said }

/** Settings of the monitor that an option may not fit. */
export type OptionAround = { type: MonitorType; url: string | null; username: string | null }

/** An option of monitors. Validation, documents, tools, flags and forms derive from its entry in `entries.ts`. */
export type Option = {
  /** Where a text in it is a secret, it takes the mask as well. */
  schema: z.ZodType
  /** For the documents of the API, flags and tools. */
  description: string
  group: OptionGroup
  label: string
  hint?: string
  /** The types that have it. */
  has: (type: MonitorType) => boolean
  /** Holds where it is not set, as the form shows it; null where that is nothing, or the team's setting. */
  default: string | number | boolean | null
  secrets?: readonly OptionSecret[]
  /** The parts of an answer that it may read, where it is a list of assertions. */
  sources?: (type: MonitorType) => readonly AnswerPart[]
  /** Those of its values that a type takes, where not all do; the first one holds where it is not set. */
  offers?: (type: MonitorType) => readonly string[]
  /** It stands in answers alone, and is ignored where it is sent back. */
  readOnly?: true
  /** It is a length of time in this unit: forms take another unit as well, and say it in the largest. */
  unit?: TimeUnit
  /** It is the name of a time zone. */
  isZone?: true
  /** The words of its members in forms, where it is an object or a list of some. */
  parts?: Readonly<Record<string, OptionPart>>
  /** Faults that depend on the type, which the schema cannot refuse. */
  faults?: (type: MonitorType, value: unknown) => OptionFault[]
  /** Addresses in it that the check dials, besides that of the target. The policy may refuse them. */
  addresses?: (value: unknown) => { at: string[]; url: string }[]
  /** Faults that depend on other settings of the monitor or on its other options, whichever of the two was changed. */
  clashes?: (value: unknown, around: OptionAround, others: Readonly<Record<string, unknown>>) => OptionFault[]
}
