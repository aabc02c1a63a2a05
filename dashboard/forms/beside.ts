import type { OperationId } from '../../src/contract/contract.ts'
import { broken, type Faults, type Parsed } from '../../src/core/validation.ts'
import { useTeam } from '../data/session.ts'
import { useNotices } from '../parts/feedback/notices.tsx'
import { whoChanged } from './collision.ts'
import type { Controls } from './controls.ts'
import type { Draft, Held } from './draft.ts'
import type { FormParts } from './use-form.ts'

/** A field in the form of a record that is not part of what is sent of the record: an operation of its own sets it. */
export type Beside = {
  name: string
  label: string
  controls: Controls
  /** Held before anything is changed. */
  held: Held
  /** How it is set for the record of an id; null while it stays as it is. */
  judge: (
    held: Held | undefined,
    before: Held | undefined,
  ) => Parsed<((id: number) => Promise<unknown>) | null>
  read: (id: number) => Promise<Held>
  setting: OperationId
  /** Describes what is held, where its own text says nothing. */
  say?: (held: Held | undefined) => string
}

type WithBesides<Body> = { body: Body; settings: ((id: number) => Promise<unknown>)[] }

/** Adds such fields to a form. Of a new record they are set once it exists. `record`: the one that is edited. */
export function useBesides<Body extends object, Answer extends { id: number }>(
  parts: FormParts<Body, Answer>,
  record: Answer | undefined,
  besides: readonly Beside[],
): FormParts<WithBesides<Body>, Answer> {
  const { id: team } = useTeam()
  const say = useNotices()
  const { latest } = parts
  const named = (name: string) => besides.find((one) => one.name === name)
  const withHeld = (draft: Draft, held: readonly Held[]): Draft => ({
    ...draft,
    ...Object.fromEntries(besides.map(({ name }, place) => [name, held[place] ?? ''])),
  })
  return {
    initial: withHeld(
      parts.initial,
      besides.map(({ held }) => held),
    ),
    names: [...parts.names, ...besides.map(({ name }) => name)],
    judge(draft, before) {
      const judged = parts.judge(draft, before)
      const settings = besides.map(({ name, judge }) => judge(draft[name], before[name]))
      const faults: Faults = Object.assign(
        {},
        ...[judged, ...settings].map((one) => (one.ok ? {} : one.faults)),
      )
      if (!judged.ok || Object.keys(faults).length > 0) return broken(faults)
      return {
        ok: true,
        value: { body: judged.value, settings: settings.flatMap((one) => (one.ok && one.value) || []) },
      }
    },
    latest: latest &&
      record && {
        controls: Object.assign({}, latest.controls, ...besides.map(({ controls }) => controls)),
        read: async () =>
          withHeld(await latest.read(), await Promise.all(besides.map(({ read }) => read(record.id)))),
        async who(names) {
          const own = names.filter((name) => !named(name))
          const other = own.length > 0 ? await latest.who(own) : null
          if (other) return other
          const [first] = besides.filter(({ name }) => names.includes(name))
          return first ? whoChanged(team, { id: record.id, actions: [first.setting] }, [first.name]) : null
        },
        labelOf: (name) => named(name)?.label ?? latest.labelOf(name),
        say: (name, draft) => (named(name) ? named(name)?.say?.(draft[name]) : latest.say?.(name, draft)),
      },
    async send({ body, settings }) {
      const isOnlyBeside = record && settings.length > 0 && Object.keys(body).length === 0
      const answer = isOnlyBeside ? record : await parts.send(body)
      for (const set of settings) {
        const done = set(answer.id)
        // A new record is there already: sending it again would make another.
        await (record ? done : done.catch(say.problem))
      }
      return answer
    },
    onDone: parts.onDone,
  }
}
