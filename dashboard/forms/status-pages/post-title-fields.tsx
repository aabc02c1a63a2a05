import { MAX_TITLE_LENGTH, type PostKind } from '../../../src/core/status-pages/post.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { TextField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'

const TIMES = { scheduled_for: t('Begins'), scheduled_until: t('Ends') } as const

/** The title of a post, and the times of planned maintenance. */
export function PostTitleFields({ kind, form }: { kind: PostKind; form: Form }) {
  return (
    <>
      <TextField
        label={t('Title')}
        value={String(form.draft.title)}
        faults={form.faults('title')}
        maxLength={MAX_TITLE_LENGTH}
        autoComplete="off"
        onChange={({ target }) => form.set('title', target.value)}
        onBlur={() => form.leave('title')}
      />
      {kind === 'maintenance' && (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['scheduled_for', 'scheduled_until'] as const).map((name) => (
            <TextField
              key={name}
              label={TIMES[name]}
              hint={t('Time zone: {zone}.', { zone: readerZone() })}
              type="datetime-local"
              value={String(form.draft[name])}
              faults={form.faults(name)}
              onChange={({ target }) => form.set(name, target.value)}
              onBlur={() => form.leave(name)}
            />
          ))}
        </div>
      )}
    </>
  )
}
