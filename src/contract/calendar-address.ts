import * as z from 'zod'
import { one } from './envelope.ts'
import type { Operation } from './operation.ts'

/** The operations on the secret address of a calendar, which `of` names. */
export function calendarAddress<const Path extends string, const Errors extends Operation['errors']>(
  path: Path,
  of: string,
  errors: Errors,
) {
  const shared = { internal: true, path, access: 'write', errors } as const
  return {
    show: {
      ...shared,
      method: 'GET',
      summary: `Show the secret address of ${of}; null while there is none`,
      status: 200,
      output: one(z.object({ url: z.string().nullable() })),
    },
    create: {
      ...shared,
      method: 'POST',
      summary: `Give ${of} a secret address; a former one stops working`,
      status: 201,
      output: one(z.object({ url: z.string() })),
    },
    remove: {
      ...shared,
      method: 'DELETE',
      summary: `Stop the secret address of ${of}`,
      status: 204,
    },
  } as const
}
