import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { FieldWords } from '../../src/core/language/sayer.ts'
import type { Faults, Parsed } from '../../src/core/validation.ts'
import { Problem, sayProblem } from '../data/problem.ts'
import { sayFaultOf, sayFaults } from '../language/faults.ts'
import { useAfterPress } from './after-press.ts'
import type { Collision, Latest } from './collision.ts'
import { type Draft, type Held, merge, sayHeld } from './draft.ts'

/** A form that is being filled in: its values, its faults and its submission. */
export type Form = {
  draft: Draft
  set: (name: string, held: Held) => void
  /** Marks a field as left: from then on its faults are shown. */
  leave: (name: string) => void
  /** The faults of a field or of a part of it, once it is time to show them. */
  faults: (name: string) => string[] | undefined
  /** The reason of a refusal that belongs to no field. */
  refusal: string | null
  /** Changes by someone else meanwhile, until the person decides whose values stay. */
  collision: CollisionShown | null
  busy: boolean
  /** Whether all that is filled in is valid; `reveal` shows the faults at their fields. */
  isSound: boolean
  reveal: () => void
  /** A ref, because a saved form navigates away before the next render. */
  isDirty: RefObject<boolean>
  element: RefObject<HTMLFormElement | null>
  submit: (event: FormEvent) => void
}

export type CollisionShown = Pick<Collision, 'by'> & {
  rows: { name: string; label: string; theirs: string; mine: string }[]
  takeTheirs: () => void
}

/**
 * `judge` parses the draft by the schemas and rules of the API; `send` calls the API, whose refusals appear in the same
 * places. `names` are the visible fields: faults of others appear near the button. With `latest`, the form checks
 * before sending whether someone else has changed the same fields.
 */
export type FormParts<Body, Answer> = {
  initial: Draft
  names: readonly string[]
  /** Begins the faults of nested fields, in place of their path. */
  wordOf?: FieldWords
  judge: (draft: Draft, before: Draft) => Parsed<Body>
  latest?: Latest | undefined
  send: (body: Body) => Promise<Answer>
  onDone: (answer: Answer) => void
}

export function useForm<Body, Answer>({
  initial,
  names,
  wordOf,
  judge,
  latest,
  send,
  onDone,
}: FormParts<Body, Answer>): Form {
  const [before, setBefore] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [attempts, setAttempts] = useState(0)
  const [problem, setProblem] = useState<unknown>(null)
  const [refused, setRefused] = useState<Faults>({})
  const [collision, setCollision] = useState<Collision | null>(null)
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const isDirty = useRef(false)
  const afterPress = useAfterPress()

  const judged = judge(draft, before)
  const found = judged.ok ? {} : judged.faults
  useEffect(() => {
    isDirty.current = JSON.stringify(draft) !== JSON.stringify(before)
  }, [draft, before])
  useEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setProblem(null)
    if (!judged.ok) return setAttempts((count) => count + 1)
    setBusy(true)
    setCollision(null)
    try {
      const merged = latest && (await rebase(latest))
      const body = merged ? judge(merged.draft, merged.before) : judged
      if (!body.ok) return setAttempts((count) => count + 1)
      if (merged && merged.both.length > 0) return await collide(merged.both, merged.before)
      const answer = await send(body.value)
      isDirty.current = false
      setBefore(merged ? merged.draft : draft)
      setLeft(new Set())
      setAttempts(0)
      onDone(answer)
    } catch (error) {
      setProblem(error)
      setRefused(error instanceof Problem ? error.faults : {})
      setAttempts((count) => count + 1)
    } finally {
      setBusy(false)
    }
  }

  /** From now on the form is based on the current record: sending it again is intentional. */
  async function rebase({ controls, read }: Latest) {
    const theirs = await read()
    const merged = merge(controls, { before, mine: draft, theirs })
    setBefore(theirs)
    setDraft(merged.draft)
    return { ...merged, before: theirs }
  }

  async function collide(both: string[], theirs: Draft) {
    setCollision({ names: both, theirs, by: (await latest?.who(both)) ?? null })
  }

  const shown = attempts > 0 ? found : pick(found, (field) => [...left].some((name) => covers(name, field)))
  function showCollision({ by, names: both, theirs }: Collision, { controls, labelOf, say }: Latest) {
    const words = (name: string, held: Draft) => say?.(name, held) ?? sayHeld(controls[name], held[name])
    const rows = both.map((name) => ({
      name,
      label: labelOf(name),
      theirs: words(name, theirs),
      mine: words(name, draft),
    }))
    function takeTheirs() {
      setDraft((all) => ({ ...all, ...Object.fromEntries(both.map((name) => [name, theirs[name] ?? ''])) }))
      setCollision(null)
    }
    return { by, rows, takeTheirs }
  }

  const unplaced = { ...(attempts > 0 && found), ...refused }
  const homeless = Object.keys(unplaced).filter((field) => !names.some((name) => covers(name, field)))
  return {
    draft,
    set(name, held) {
      if (draft[name] === held) return
      setDraft((all) => ({ ...all, [name]: held }))
      setRefused((all) => pick(all, (field) => !covers(name, field)))
    },
    leave(name) {
      // A field that was only passed holds no mistake yet: what it lacks is told when the form is sent.
      if (draft[name] === '' && before[name] === '') return
      // The faults that appear then move the content below the field.
      afterPress(() => setLeft((all) => (all.has(name) ? all : new Set([...all, name]))))
    },
    faults(name) {
      const ours = (errors: Faults) =>
        Object.values(
          sayFaults(
            pick(errors, (field) => covers(name, field)),
            wordOf,
          ),
        ).flat()
      const all = [...new Set([...ours(shown), ...ours(refused)])]
      return all.length > 0 ? all : undefined
    },
    refusal: sayUnplaced(problem, unplaced, homeless),
    collision: collision && latest ? showCollision(collision, latest) : null,
    busy,
    isSound: judged.ok,
    reveal: () => setAttempts((count) => count + 1),
    isDirty,
    element,
    submit: (event) => void submit(event),
  }
}

function sayUnplaced(problem: unknown, errors: Faults, homeless: string[]): string | null {
  if (homeless.length > 0) {
    const said = homeless.flatMap((field) => errors[field]?.map((message) => sayFaultOf(message, field)))
    return said.join('; ')
  }
  const isAtFields = problem instanceof Problem && Object.keys(problem.faults).length > 0
  return problem === null || isAtFields ? null : sayProblem(problem)
}

function covers(name: string, field: string): boolean {
  return field === name || field.startsWith(`${name}.`)
}

function pick(errors: Faults, wanted: (field: string) => boolean): Faults {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => wanted(field)))
}
