import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../pagination.ts'
import { isTagKey } from '../tags/tag-text.ts'
import { text } from '../text.ts'
import { idsParameter, instantParameter, integerParameter, tagsParameter } from './parameter.ts'

/**
 * A filter of a list: its parameter of the API, its place in an address of the dashboard, its field and the count of those
 * in use derive from this. The condition in SQL, and a field of a special kind, are asked for by the compiler.
 */
export type Filter = {
  /** Reads what a query says, which is text. */
  schema: z.ZodType
  /** Reads what an address of the dashboard says, where that is something else. */
  address?: z.ZodType
  /** The field that sets it: its own, unless it shares one. Null: none of those of the list. */
  field?: string | null
  /** The room of the field, as a column of a grid. */
  width?: string
  choice?: Choice
  placeholder?: string
}

/** A field that chooses one of a few values. `any` takes the place of "Any". */
type Choice<Option extends string = string> = {
  label: string
  words: Readonly<Record<Option, string>>
  any?: string
}

/** `first` is the order in which a list begins that is sorted by this. */
type Sort = { label: string; first: Order }
type Order = 'asc' | 'desc'

type Filters = Readonly<Record<string, Filter>>
type Sorts = Readonly<Record<string, Sort>>

export type List<F extends Filters = Filters, S extends Sorts = Sorts> = {
  filters: F
  /** The usual one first; none where a list has one order alone. */
  sorts: S
  query: z.ZodObject<QueryShape<F, S>>
}

/** In the order in which addresses have them. */
type QueryShape<F extends Filters, S extends Sorts> = {
  [Name in keyof F]: z.ZodOptional<F[Name]['schema']>
} & ([keyof S] extends [never] ? unknown : typeof GROUPED & SortShape<keyof S & string>) &
  typeof PAGED
type SortShape<Name extends string> = {
  sort: z.ZodDefault<z.ZodEnum<{ [One in Name]: One }>>
  order: z.ZodOptional<typeof ORDER>
}

const ORDER = z.enum(['asc', 'desc'])
/** The key of tags by which rows are grouped: groups come before the order. */
const GROUPED = {
  group: z.string().refine(isTagKey, phrase('must be the key of tags, such as env')).optional(),
}
/** The page of a list that is asked for. */
export const PAGED = {
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  page: integerParameter(1).default(1),
}

/** A list of subjects, which is sorted and grouped, or one of records in a fixed order, if it has no `sorts`. */
export function list<const F extends Filters, const S extends Sorts = Record<never, never>>(of: {
  filters: F
  sorts?: S
}): List<F, S> {
  const { filters, sorts = {} as S } = of
  const [usual, ...others] = Object.keys(sorts)
  const parameters = Object.entries(filters).map(([name, { schema }]) => [name, schema.optional()])
  const shape = {
    ...Object.fromEntries(parameters),
    ...(usual && {
      sort: z.enum([usual, ...others]).default(usual),
      order: ORDER.optional(),
      ...GROUPED,
    }),
    ...PAGED,
  }
  return { filters, sorts, query: z.object(shape) as unknown as List<F, S>['query'] }
}

const MAX_SEARCH_LENGTH = 255

/** Text to search for, case-insensitive, in what the placeholder says. It stands before all other fields. */
export function searched(placeholder: string) {
  return { schema: text(MAX_SEARCH_LENGTH), field: null, placeholder } as const satisfies Filter
}
/** Tags that a row carries, all of them: `env:prod,team`. */
export const TAGGED = { schema: tagsParameter(), width: '15rem' } as const satisfies Filter
/** This many fit into an address. */
export const MAX_CHOSEN = 200
/** Rows by their ids, wherever they would stand: those that are selected, or were on a page a moment ago. */
export const CHOSEN = { schema: idsParameter(MAX_CHOSEN), field: null } as const satisfies Filter
/** The one subject that a list is about. */
export const OF_SUBJECT = { schema: integerParameter(1), field: 'subject' } as const satisfies Filter

/** One end of a period. An address has days of the reader: `2026-11-21`. */
export const PERIOD = {
  schema: instantParameter(),
  address: z.iso.date(),
  field: 'period',
  width: '9rem',
} as const satisfies Filter

export function oneOf<const Options extends Readonly<Record<string, string>>>(
  schema: z.ZodEnum<Options>,
  choice: Choice<keyof Options & string>,
  width?: string,
) {
  return { schema, choice, ...(width !== undefined && { width }) } satisfies Filter
}

/** The parameters of a list as they are after reading. */
export type QueryOf<L extends { query: z.ZodType }> = z.output<L['query']>
export type FilterName<L extends List> = keyof L['filters'] & string
export type SortName<L extends List> = keyof L['sorts'] & string
export type FilterValue<L extends List, Name extends FilterName<L>> = z.output<L['filters'][Name]['schema']>
export type FilterValues<L extends List> = { [Name in FilterName<L>]?: FilterValue<L, Name> | undefined }

/** The fields of the filters of a list: of their own, or shared. */
export type FieldName<L extends List> = {
  [Name in FilterName<L>]: L['filters'][Name] extends { field: infer Field } ? Extract<Field, string> : Name
}[FilterName<L>]

/** The order that a list has: by its query, or as its sort begins. */
export function orderOf(sorts: Sorts, sort: string, order: Order | undefined): Order {
  return order ?? sorts[sort]?.first ?? 'asc'
}
