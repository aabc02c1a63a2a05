import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_MEMBERS } from '../../../src/core/monitors/groups/group-state.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Segments } from '../../parts/segments.tsx'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import { idsIn } from '../draft.ts'
import { SubjectPicker } from '../subject-picker.tsx'
import type { Form } from '../use-form.ts'
import { holdTags, tagsHeld } from './group-draft.ts'

/** Chooses the members of a group: one by one, or by the tags that they carry. */
export function MembersField({
  name,
  label,
  form,
  self,
}: {
  name: string
  label: string
  form: Form
  /** The group that the form is about; undefined for a new one. */
  self?: number | undefined
}) {
  const { id: team } = useTeam()
  const held = form.draft[name]
  const tags = tagsHeld(held)
  // A choice in the other way comes back with it.
  const [kept, keep] = useState(tags ? '' : holdTags([]))

  function switchTo(way: 'ids' | 'tags') {
    if ((way === 'tags') === (tags !== null)) return
    form.set(name, kept)
    keep(String(held ?? ''))
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span aria-hidden className="font-medium">
          {label}
        </span>
        <Segments
          label={t('How members are chosen')}
          value={tags ? 'tags' : 'ids'}
          options={[
            { value: 'ids', label: t('One by one') },
            { value: 'tags', label: t('By tags') },
          ]}
          onChoose={switchTo}
        />
      </div>
      {tags ? (
        <TagInput
          team={team}
          label={t('Tags of the members')}
          tags={tags}
          selects
          hint={t('All monitors that carry all of these are members, as they come and go. Groups are not.')}
          faults={form.faults(name)}
          onChange={(chosen) => form.set(name, holdTags(chosen))}
          onLeave={() => form.leave(name)}
        />
      ) : (
        <ByOne name={name} team={team} form={form} self={self} />
      )}
    </fieldset>
  )
}

function ByOne({
  name,
  team,
  form,
  self,
}: {
  name: string
  team: number
  form: Form
  self: number | undefined
}) {
  // The chooser knows the names of those that are added.
  const [first] = useState(() => idsIn(form.draft[name]))
  const answers = useQueries({ queries: first.map((id) => question(team, 'getMonitor', { id })) })
  if (answers.some(({ isPending }) => isPending)) return null
  const named = answers.flatMap(({ data }) => (data ? [{ id: data.data.id, name: data.data.name }] : []))
  return (
    <SubjectPicker kind="monitor" field={name} max={MAX_MEMBERS} without={self} {...{ team, form, named }} />
  )
}
