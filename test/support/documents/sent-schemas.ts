import * as z from 'zod'
import { type AccountOperation, accountContract } from '../../../src/contract/accounts.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { probeContract } from '../../../src/contract/remote-probes.ts'
import { FirstAccount, TeamCreate, TokenCreate, UserCreate } from '../../../src/core/accounts/account.ts'
import { ContactConfigs } from '../../../src/core/alerting/contact.ts'

/** Everything that the contract takes: queries and bodies of all operations, and the settings of each type of contact. */
export function sentSchemas(): [name: string, schema: z.ZodType][] {
  const operations = { ...allOperations, ...accountContract } as Record<string, Operation | AccountOperation>
  return [
    ...Object.entries(operations).flatMap(([id, operation]): [string, z.ZodType][] => {
      const query = 'query' in operation ? operation.query : undefined
      return [query, operation.body].flatMap((schema) => (schema ? shapesOf(id, schema) : []))
    }),
    ...Object.entries(probeContract).map(([id, { input }]): [string, z.ZodType] => [id, input]),
    ['the setup page', FirstAccount],
    ['upbeat user create', UserCreate],
    ['upbeat team create', TeamCreate],
    ['upbeat token create', TokenCreate],
    // Judged by the type, which another member says.
    ...Object.entries(ContactConfigs).map(([type, schema]): [string, z.ZodType] => [
      `a contact of type ${type}`,
      schema,
    ]),
  ]
}

/** One of several shapes, which a member names, is looked at by itself. */
function shapesOf(name: string, schema: z.ZodType): [name: string, schema: z.ZodType][] {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return [[name, schema]]
  return schema.options.map((shape, index) => [`${name}/${index + 1}`, shape as z.ZodType])
}
