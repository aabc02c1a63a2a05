import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { question } from '../../data/ask.ts'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import type { Form } from '../use-form.ts'

/** The field `tags` of a form that goes by tags instead of chosen subjects. Nothing for a team that uses no tags. */
export function SubjectTags({
  team,
  form,
  label,
  hint,
}: {
  team: number
  form: Form
  label: string
  hint?: ReactNode
}) {
  const inUse = useQuery(question(team, 'listTags', {})).data?.data ?? []
  const tags = splitTags(String(form.draft.tags))
  if (inUse.length === 0 && tags.length === 0) return null
  return (
    <TagInput
      selects
      team={team}
      label={label}
      hint={hint}
      tags={tags}
      placeholder="env:prod"
      faults={form.faults('tags')}
      onChange={(next) => form.set('tags', next.join(', '))}
      onLeave={() => form.leave('tags')}
    />
  )
}
