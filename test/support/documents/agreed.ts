import assert from 'node:assert/strict'
import type * as z from 'zod'
import { accountContract } from '../../../src/contract/accounts.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import { jsonSchemasOf } from '../../../src/contract/openapi/json-schema.ts'
import type { Told } from '../services/http.ts'
import { type FindFaults, faultFinder } from './json-schema.ts'

type Agreed = { method: string; path: string; output?: z.ZodType }

/** Operations that browsers ask, by the parts of the contract. Below a team, members that no schema lists are faults, too. */
const ASKED = [
  ...entriesOf(allOperations, '/app/teams/\\d+', true),
  // Options of passkeys are as the standard has them, which we pass on.
  ...entriesOf(accountContract, '', false),
]
const ANSWER = { $ref: '#/components/schemas/Answer' }
/** Made when the first answer comes; only what is asked for is read. */
const finders = new Map<string, FindFaults>()

/** Paths with the fewest parameters come first: `/sites/deleted` before `/sites/{site}`. */
function entriesOf(contract: Record<string, Agreed>, below: string, strict: boolean) {
  return Object.entries(contract)
    .map(([id, { method, path, output }]) => {
      const pattern = new RegExp(`^${below}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
      return { id, method, pattern, output, strict, parameters: path.split('{').length }
    })
    .sort((one, other) => one.parameters - other.parameters)
}

/**
 * Fails on an answer to a browser that lacks a member of the contract's schema, or has one that it lacks: the compiler does
 * not know what statements return.
 */
export function assertAgreed({ method, path, status, text }: { method: string; path: string } & Told): void {
  if (status >= 300 || text === '') return
  const [asked = ''] = path.split('?')
  const entry = ASKED.find((one) => one.method === method && one.pattern.test(asked))
  if (!entry) return
  const { id, output, strict } = entry
  assert.ok(output, `${method} ${path} (${id}) answered with a body, and none is agreed`)
  const find =
    finders.get(id) ??
    faultFinder({ components: { schemas: jsonSchemasOf({ Answer: output }, 'output') } }, { strict })
  finders.set(id, find)
  const faults = find(ANSWER, JSON.parse(text))
  assert.equal(faults, null, `${method} ${path} (${id}) answered otherwise: ${text.slice(0, 1_000)}`)
}
