import { type FormEvent, useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { NoteField } from './note-field.tsx'

/** Acknowledges with a note: one incident, or many at once. */
export function AcknowledgeForm({
  about,
  hint,
  busy,
  progress,
  onCancel,
  onSend,
}: {
  /** The consequences. */
  about: string
  /** Stands below the note. */
  hint: string
  busy: boolean
  /** How far it is, where it takes a while. */
  progress?: string
  onCancel: () => void
  onSend: (note: string) => void
}) {
  const [note, setNote] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) onSend(note)
  }
  return (
    <form onSubmit={submit}>
      <p className="mb-4 text-soft">{about}</p>
      <NoteField label={t('Note (optional)')} hint={hint} value={note} onChange={setNote} />
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        {busy && progress !== undefined && (
          <p role="status" className="mr-auto text-soft">
            {progress}
          </p>
        )}
        <Button disabled={busy} onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" tone="main" busy={busy}>
          {t('I’m on it')}
        </Button>
      </div>
    </form>
  )
}
