import type * as z from 'zod'
import type { ProblemCode } from '../core/errors.ts'
import type { Access } from '../core/teams/access.ts'
import type { Tag } from './openapi/tags.ts'

/** One thing that can be asked of the service. Routes, refusals, documents and tools derive from it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to the base URL. A path parameter names the kind of record it identifies. */
  path: string
  summary: string
  access: Access
  query?: z.ZodType<Record<string, unknown>>
  /** What a body may hold; without one, a body that is sent is ignored. */
  body?: z.ZodType
  status: 200 | 201 | 204
  /** Of the whole answer; absent where there is none. */
  output?: z.ZodType
  /** Refusals beyond those that every operation knows (401, 403, 429, 500). */
  errors: ProblemCode[]
  deprecated?: Deprecation
  /** Written down in the audit log like a change, though it only reads, or needs no more access than reading. */
  audited?: true
  /** Asked by the dashboard only, with a session. */
  internal?: true
  /** The name of the tool that offers it to AI clients; operations of one tool differ by the record they want. */
  tool?: string
}

/** An operation of the API, told to strangers. */
export type PublicOperation = Operation & {
  tag: Tag
  /** What the summary leaves out, in Markdown. */
  description: string
  /** What is documented as an example: values of `data`, and bodies by what they show. */
  examples?: { bodies?: Record<string, unknown>; data?: unknown }
}

/** A deprecated operation works as the one it stands for until its sunset, and is gone after it. */
export type Deprecation = { since: Date; sunset: Date }

const PARAMETER = /\{(\w+)\}/g

/** What a path identifies, by the kinds of its records: `monitor` of `/monitors/{monitor}`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/** The path with something else in the place of each parameter. */
export function fillPath(path: string, write: (parameter: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => write(name))
}

export const PUT_DEPRECATION: Deprecation = {
  since: new Date('2026-04-07T00:00:00Z'),
  sunset: new Date('2027-04-07T00:00:00Z'),
}

export const PUT_IS_PATCH =
  'Deprecated: behaves exactly as PATCH, and stops working at its sunset. Send PATCH instead.'

/** On every answer of a deprecated operation (RFC 9745, RFC 8594). */
export function deprecationHeaders({ deprecated }: Pick<Operation, 'deprecated'>, docsUrl: string) {
  if (!deprecated) return {}
  return {
    deprecation: `@${deprecated.since.getTime() / 1_000}`,
    sunset: deprecated.sunset.toUTCString(),
    link: `<${docsUrl}/changelog>; rel="deprecation"; type="text/html"`,
  }
}
