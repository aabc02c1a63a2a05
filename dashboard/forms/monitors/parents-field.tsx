import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { MAX_PARENTS } from '../../../src/core/monitors/options/patience.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { idsIn } from '../draft.ts'
import { SubjectPicker } from '../subject-picker.tsx'
import type { Form } from '../use-form.ts'

/** Chooses the monitors that one depends on. */
export function ParentsField({
  name,
  around: { label, hint },
  form,
  self,
}: {
  name: string
  around: { label: string; hint?: ReactNode }
  form: Form
  /** The monitor that the form is about; undefined for a new one. */
  self?: number | undefined
}) {
  const { id: team } = useTeam()
  // The chooser knows the names of those that are added.
  const [first] = useState(() => idsIn(form.draft[name]))
  const answers = useQueries({ queries: first.map((id) => question(team, 'getMonitor', { id })) })
  if (answers.some(({ isPending }) => isPending)) return null
  const named = answers.flatMap(({ data }) => (data ? [{ id: data.data.id, name: data.data.name }] : []))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="font-medium">{label}</legend>
      {hint !== undefined && <p className="text-sm text-soft">{hint}</p>}
      <SubjectPicker
        kind="monitor"
        field={name}
        max={MAX_PARENTS}
        without={self}
        {...{ team, form, named }}
      />
    </fieldset>
  )
}
