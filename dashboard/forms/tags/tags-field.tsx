import { MAX_TAGS } from '../../../src/core/tags/tag.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { t } from '../../language/language.ts'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import type { Form } from '../use-form.ts'
import { TAGS } from './tags-beside.ts'

/** The tags of a record in its form. */
export function TagsField({ team, form }: { team: number; form: Form }) {
  return (
    <TagInput
      team={team}
      label={t('Tags')}
      tags={splitTags(String(form.draft[TAGS] ?? ''))}
      hint={t(
        'A key, or a key and a value such as env:prod. Up to {max}; they filter and group lists, and never appear on status pages.',
        { max: MAX_TAGS },
      )}
      faults={form.faults(TAGS)}
      onChange={(tags) => form.set(TAGS, tags.join(', '))}
      onLeave={() => form.leave(TAGS)}
    />
  )
}
