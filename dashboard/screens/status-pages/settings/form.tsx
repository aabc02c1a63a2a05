import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { StatusPageDetail, StatusPagePatch } from '../../../../src/core/status-pages/shown-page.ts'
import { ask, question } from '../../../data/ask.ts'
import { useTeam } from '../../../data/session.ts'
import { draftOf, sayHeld } from '../../../forms/draft.ts'
import { FormFrame } from '../../../forms/form-frame.tsx'
import { latestOf } from '../../../forms/record-parts.ts'
import { AccentField, PageChoice, PageText } from '../../../forms/status-pages/page-field-controls.tsx'
import {
  judgeSettings,
  PAGE_CONTROLS,
  PAGE_OPTIONS,
  PAGE_TEXTS,
} from '../../../forms/status-pages/page-fields.ts'
import { TemplateField } from '../../../forms/status-pages/template-field.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { t } from '../../../language/language.ts'
import { useNotices } from '../../../parts/feedback/notices.tsx'
import { Section } from '../../../parts/panel.tsx'
import { PagePreviewPanel } from '../../../parts/status-pages/page-preview.tsx'

const NAMES = Object.keys(PAGE_CONTROLS)

/** Everything about a page that one form sends, with what it would look like beside it. */
export function PageSettingsForm({
  page,
  onVisibility,
}: {
  page: StatusPageDetail
  /** Told who is to see the page, before that is saved. */
  onVisibility: (visibility: string) => void
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const { id, has_password: hasPassword, is_published: isPublished } = page
  const [initial, setInitial] = useState(() => draftOf(PAGE_CONTROLS, page.fields))
  const judge = (before: typeof initial, draft: typeof initial) =>
    judgeSettings(before, draft, { hasPassword, isPublished })
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft, before) => judge(before, draft),
    latest: latestOf(page, {
      team,
      of: 'StatusPage',
      controls: PAGE_CONTROLS,
      draftOf: ({ fields }) => draftOf(PAGE_CONTROLS, fields),
      labelOf: (name) => PAGE_TEXTS[name as keyof typeof PAGE_TEXTS]?.label ?? name,
      say: (name, draft) => {
        const words: Record<string, string> | undefined = PAGE_OPTIONS[name as keyof typeof PAGE_OPTIONS]
        return words?.[String(draft[name])]
      },
    }),
    send: (body: StatusPagePatch) => ask(team, 'updateStatusPage', { id, body: body as object }),
    onDone: ({ data }) => {
      queries.setQueryData(question(team, 'getStatusPage', { id }).queryKey, { data })
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPages'] })
      setInitial(draftOf(PAGE_CONTROLS, data.fields))
      say.done(t('{name} saved.', { name: data.name }))
    },
  })
  const visibility = String(form.draft.visibility)
  useEffect(() => onVisibility(visibility), [visibility, onVisibility])
  const judged = judge(initial, form.draft)
  const isMoved = form.draft.slug !== page.slug
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
      <FormFrame form={form} verb={t('Save changes')} className="flex flex-col gap-8">
        <Section title={t('About')} about={t('Its name, its address and its links.')}>
          <div className="flex flex-col gap-4 p-4">
            <PageText name="name" form={form} />
            <PageText
              name="slug"
              form={form}
              hint={
                isMoved ? (
                  <span className="text-degraded">
                    {t('Links to {address} stop working, feeds and badges among them.', {
                      address: sayHeld(undefined, page.slug),
                    })}
                  </span>
                ) : (
                  `${location.origin}/status/${page.slug}`
                )
              }
            />
            <PageText name="description" form={form} />
            <div className="grid gap-4 sm:grid-cols-2">
              <PageText name="home_url" form={form} />
              <PageText name="support_url" form={form} />
            </div>
          </div>
        </Section>
        <Section
          title={t('Visitors')}
          about={t('People who can see the page, and the posts and e-mails that it offers them.')}
        >
          <div className="flex flex-col gap-4 p-4">
            <PageChoice name="visibility" form={form} hint={visibilityHint(visibility, hasPassword)} />
            {visibility === 'networks' && <PageText name="networks" form={form} />}
            <PageText name="allows_subscribers" form={form} />
            <PageChoice name="posts" form={form} />
            <TemplateField team={team} form={form} />
          </div>
        </Section>
        <Section title={t('Look')} about={t('Language, colors and history.')}>
          <div className="grid gap-4 p-4 sm:grid-cols-2">
            <PageChoice name="language" form={form} />
            <PageChoice name="theme" form={form} />
            <AccentField form={form} />
            <PageChoice name="days" form={form} />
          </div>
        </Section>
      </FormFrame>
      <div className="min-w-0 xl:sticky xl:top-4">
        <PagePreviewPanel
          team={team}
          page={id}
          draft={judged.ok ? { settings: judged.value as object } : null}
        />
      </div>
    </div>
  )
}

function visibilityHint(visibility: string, hasPassword: boolean): string | undefined {
  if (visibility === 'password' && !hasPassword) return t('Set the password below first.')
  if (visibility === 'members')
    return t('Members sign in to this service, so own domains do not show the page.')
  return undefined
}
