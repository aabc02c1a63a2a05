import type { OperationId } from '../../src/contract/contract.ts'
import { type AnswerOf, ask, type GivenInput } from '../data/ask.ts'
import { type Latest, whoChanged } from './collision.ts'
import type { Draft } from './draft.ts'
import type { FormParts } from './use-form.ts'

/** `Site`, of which there are `createSite` and `updateSite`. */
type Saved<Id = OperationId> = Id extends `create${infer Name}`
  ? `update${Name}` extends OperationId
    ? Name
    : never
  : never
/** One that is read again, too, by `getSite`. */
type Read<Name = Saved> = Name extends Saved ? (`get${Name}` extends OperationId ? Name : never) : never

/** The answer of its operations. */
type ShownOf<Name extends Saved> =
  AnswerOf<`update${Name}` & OperationId> extends { data: infer Shown } ? Shown : never

/** Their body. */
type BodyOf<Name extends Saved> = NonNullable<
  GivenInput<(`create${Name}` | `update${Name}`) & OperationId>['body']
>

/** Changes a record, or creates it where there is none yet. */
export async function saveRecord<Name extends Saved>(
  team: number,
  of: Name,
  record: { id: number } | null | undefined,
  body: BodyOf<Name>,
): Promise<ShownOf<Name>> {
  const operation = `${record ? 'update' : 'create'}${of}` as 'updateSite'
  const { data } = await ask(team, operation, { id: record?.id, body } as GivenInput<'updateSite'>)
  return data as ShownOf<Name>
}

type LatestOf<Name extends Read> = Pick<Latest, 'controls' | 'labelOf' | 'say'> & {
  team: number
  /** As its operations name it. */
  of: Name
  /** Goes with the question. */
  query?: object
  draftOf: (record: ShownOf<Name>) => Draft | Promise<Draft>
  /** Operations that change its fields, besides the usual one. */
  changedBy?: readonly OperationId[]
}

/** How a form learns of changes that others made to its record meanwhile. */
export function latestOf<Name extends Read>(
  { id }: { id: number },
  { team, of, query, draftOf, changedBy = [], ...latest }: LatestOf<Name>,
): Latest {
  return {
    ...latest,
    read: async () => {
      const { data } = await ask(team, `get${of}` as 'getSite', { id, ...(query && { query }) })
      return draftOf(data as ShownOf<Name>)
    },
    who: (names) => whoChanged(team, { id, actions: [`update${of}`, ...changedBy] }, names),
  }
}

/** The parts of a form that creates a record, or changes it where there is one. */
export function recordParts<Name extends Read, Body extends BodyOf<Name>>({
  record,
  initial,
  names,
  wordOf,
  judge,
  onDone,
  ...latest
}: Omit<FormParts<Body, ShownOf<Name>>, 'latest' | 'send'> &
  LatestOf<Name> & { record: { id: number } | undefined }): FormParts<Body, ShownOf<Name>> {
  return {
    initial,
    names,
    ...(wordOf && { wordOf }),
    judge,
    latest: record && latestOf(record, latest),
    send: (body) => saveRecord(latest.team, latest.of, record, body),
    onDone,
  }
}
