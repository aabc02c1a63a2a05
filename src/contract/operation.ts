import type * as z from 'zod'
import type { ProblemCode } from '../core/errors.ts'
import type { Access } from '../core/teams/access.ts'
import type { Tag } from './openapi/tags.ts'

/** An operation of the service. Routes, refusals, documentation and tools derive from it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to the base URL. A path parameter is named after the record it identifies. */
  path: string
  summary: string
  access: Access
  query?: z.ZodType<Record<string, unknown>>
  /** The schema of the body; without one, a body is ignored. */
  body?: z.ZodType
  /** The body is bytes of files, which the operation reads as they come. */
  takesFiles?: true
  /** The largest body; MAX_BODY_BYTES unless told otherwise. */
  maxBodyBytes?: number
  status: 200 | 201 | 204
  /** The schema of the whole answer; absent if the answer has no body. */
  output?: z.ZodType
  /** Refusals beyond those common to all operations (401, 403, 429, 500). */
  errors: readonly ProblemCode[]
  deprecated?: Deprecation
  /** Written to the audit log although the operation only reads or requires only read access. */
  audited?: true
  /** Only the dashboard may ask it, with a session. */
  internal?: true
  /**
   * The name of the MCP tool that offers the operation. Operations that share a tool differ in the record they need.
   */
  tool?: string
}

/** A documented operation of the public API. */
export type PublicOperation = Operation & {
  tag: Tag
  /** Details beyond the summary, in Markdown. */
  description: string
  /** Documented examples: the value of `data`, and bodies by name. */
  examples?: { bodies?: Record<string, unknown>; data?: unknown }
}

/** A deprecated operation works like its replacement until the sunset, and answers 410 after it. */
export type Deprecation = { since: Date; sunset: Date }

const PARAMETER = /\{(\w+)\}/g

/** The parameters of a path: `monitor` for `/monitors/{monitor}`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
}

/** Replaces each parameter of a path. */
export function fillPath(path: string, write: (parameter: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => write(name))
}

const PUT_DEPRECATION: Deprecation = {
  since: new Date('2026-04-07T00:00:00Z'),
  sunset: new Date('2027-04-07T00:00:00Z'),
}

const CHANGED = {
  access: 'write',
  status: 200,
  errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
} as const satisfies Partial<PublicOperation>

/** PATCH, and PUT, which does the same and is deprecated. `what` is `a monitor`. */
export function patchAndPut<Shared extends Pick<PublicOperation, 'tag' | 'path' | 'body' | 'output'>>(
  what: string,
  description: string,
  shared: Shared,
) {
  return {
    patch: { ...shared, ...CHANGED, method: 'PATCH', summary: `Change ${what}`, description },
    put: {
      ...shared,
      ...CHANGED,
      method: 'PUT',
      summary: `Change ${what}, as PATCH does`,
      description: `Deprecated: behaves exactly as PATCH, and stops working at its sunset. Send PATCH instead. ${description}`,
      deprecated: PUT_DEPRECATION,
    },
  } as const
}

/** The headers on every answer of a deprecated operation (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, sunset }: Deprecation, docsUrl: string) {
  return {
    deprecation: `@${since.getTime() / 1_000}`,
    sunset: sunset.toUTCString(),
    link: `<${docsUrl}/changelog>; rel="deprecation"; type="text/html"`,
  }
}
