import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Field, INPUT_LOOK } from '../../parts/field.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { RenderedText } from '../../parts/status-pages/rendered-text.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import type { Form } from '../use-form.ts'

const VIEWS = [
  { value: 'write', label: t('Write') },
  { value: 'preview', label: t('Preview') },
] as const

/** A text in Markdown, and as the page shows it. */
export function MarkdownField({
  team,
  label,
  name,
  hint = t('Markdown: **bold**, lists, [links](https://example.com). HTML is shown as text.'),
  form,
}: {
  team: number
  label: string
  name: string
  hint?: string
  form: Form
}) {
  const [view, setView] = useState<'write' | 'preview'>('write')
  const text = String(form.draft[name])
  const faults = form.faults(name)
  const isWriting = view === 'write' || faults !== undefined
  return (
    <div className="flex flex-col gap-2">
      <div className="relative z-10 self-end max-sm:self-start">
        <Segments
          label={t('{label}: view', { label })}
          value={isWriting ? 'write' : 'preview'}
          options={VIEWS}
          onChoose={setView}
        />
      </div>
      <div className={isWriting ? 'sm:-mt-10' : 'hidden'}>
        <Field label={label} hint={hint} faults={faults}>
          {(wired) => (
            <textarea
              {...wired}
              rows={6}
              value={text}
              onChange={({ target }) => form.set(name, target.value)}
              onBlur={() => form.leave(name)}
              className={`${INPUT_LOOK} py-2 sm:mt-2`}
            />
          )}
        </Field>
      </div>
      {!isWriting && <Rendered team={team} text={text} />}
    </div>
  )
}

/** A text as the service renders it: HTML in it is shown as text, and no script gets through. */
function Rendered({ team, text }: { team: number; text: string }) {
  const settled = useSettled(text)
  const { data, error } = useQuery({
    queryKey: [team, 'previewStatusText', null, settled],
    queryFn: () => ask(team, 'previewStatusText', { body: { body: settled } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  if (error) return <p className="text-down">{sayProblem(error)}</p>
  if (!data) return <Waiting lines={3} className="p-0" />
  return (
    <div className="min-h-36 rounded-md border border-line px-3 py-2">
      <RenderedText html={data.data.html} />
    </div>
  )
}
